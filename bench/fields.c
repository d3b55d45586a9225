/* The bare extraction that a C program makes of a capture with libpcap: time, length, ports, and of RoCEv2 opcode, queue
   pair and PSN. It prints how many packets it saw, and sums so that no compiler leaves the work out. */
#include <pcap/pcap.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct columns {
    int64_t *ts;
    uint32_t *len, *qp, *psn;
    uint16_t *sport, *dport;
    uint8_t *opcode;
    size_t count, room;
};

static void grow(struct columns *c) {
    c->room = c->room ? c->room * 2 : 1 << 16;
    c->ts = realloc(c->ts, c->room * sizeof *c->ts);
    c->len = realloc(c->len, c->room * sizeof *c->len);
    c->qp = realloc(c->qp, c->room * sizeof *c->qp);
    c->psn = realloc(c->psn, c->room * sizeof *c->psn);
    c->sport = realloc(c->sport, c->room * sizeof *c->sport);
    c->dport = realloc(c->dport, c->room * sizeof *c->dport);
    c->opcode = realloc(c->opcode, c->room);
    if (!c->ts || !c->len || !c->qp || !c->psn || !c->sport || !c->dport || !c->opcode) exit(1);
}

static unsigned be16(const uint8_t *p) { return p[0] << 8 | p[1]; }
static unsigned be24(const uint8_t *p) { return p[0] << 16 | p[1] << 8 | p[2]; }

static void take(struct columns *c, const struct pcap_pkthdr *head, const uint8_t *p) {
    unsigned sport = 0, dport = 0, opcode = 0, qp = 0, psn = 0, at = 14;
    if (c->count == c->room) grow(c);
    if (head->caplen >= 34) {
        unsigned type = be16(p + 12);
        if (type == 0x8100) {
            type = be16(p + 16);
            at = 18;
        }
        if (type == 0x0800 && head->caplen >= at + 28) {
            unsigned protocol = p[at + 9];
            at += (p[at] & 15) * 4;
            if ((protocol == 17 || protocol == 6) && head->caplen >= at + 20) {
                sport = be16(p + at);
                dport = be16(p + at + 2);
                if (protocol == 17 && dport == 4791) {
                    opcode = p[at + 8];
                    qp = be24(p + at + 13);
                    psn = be24(p + at + 17);
                }
            }
        }
    }
    size_t i = c->count++;
    c->ts[i] = (int64_t)head->ts.tv_sec * 1000000000 + head->ts.tv_usec;
    c->len[i] = head->len;
    c->sport[i] = sport;
    c->dport[i] = dport;
    c->opcode[i] = opcode;
    c->qp[i] = qp;
    c->psn[i] = psn;
}

int main(int argc, char **argv) {
    char why[PCAP_ERRBUF_SIZE];
    pcap_t *file = argc == 2 ? pcap_open_offline_with_tstamp_precision(argv[1], PCAP_TSTAMP_PRECISION_NANO, why) : 0;
    if (!file) {
        fprintf(stderr, "cannot open: %s\n", argc == 2 ? why : "one file is wanted");
        return 1;
    }
    struct columns c = {0};
    struct pcap_pkthdr *head;
    const uint8_t *bytes;
    while (pcap_next_ex(file, &head, &bytes) == 1) take(&c, head, bytes);
    uint64_t sum = 0;
    for (size_t i = 0; i < c.count; i++) sum += c.qp[i] + c.psn[i] + c.opcode[i] + c.sport[i] + c.len[i];
    printf("%zu %llu\n", c.count, (unsigned long long)sum);
    return 0;
}
