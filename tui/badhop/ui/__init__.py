"""The app in the terminal: it opens evidence, walks a playbook, shows the verdict. It only presents.

Textual reads these variables once, when it is imported. The people who use this sit behind a slow SSH link: no
animation, few repaints, and no smooth scrolling, which sends mouse coordinates that some terminals get wrong. Whoever
sets them keeps what they set.
"""

import os

os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
os.environ.setdefault("TEXTUAL_FPS", "15")
os.environ.setdefault("TEXTUAL_SMOOTH_SCROLL", "0")
