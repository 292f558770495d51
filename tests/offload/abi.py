"""Prints FACT(text, value) lines for all structures, members, enumerators and macros of OffloadAPI.h.
Usage: abi.py PEER OWN. The names come from the peer's header; both headers must define the same ones."""
import re
import sys


def names(path):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", open(path).read(), flags=re.S)
    facts = []
    for name, body in re.findall(r"typedef enum (\w+) \{(.*?)\} \w+;", text, re.S):
        facts.append((name, f"sizeof({name})"))
        facts += [(e, e) for e in re.findall(r"(\w+)\s*=", body)]
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \w+;", text, re.S):
        facts.append((name, f"sizeof({name})"))
        for member in re.findall(r"(\w+)\s*;", body):
            facts.append((f"{name}.{member}", f"offsetof({name}, {member})"))
            facts.append((f"{name}.{member} bytes", f"sizeof((({name} *)0)->{member})"))
    facts += [(m, m) for m in re.findall(r"#define (OL_VERSION_\w+)", text)]
    for name in re.findall(r"\*\s*\(?\s*(ol_\w+_(?:handle_t|result_t))\b", text) + re.findall(
        r"typedef uint32_t (\w+);", text
    ):
        facts.append((name, f"sizeof({name})"))
    functions = re.findall(r"\b(ol[A-Z]\w+)\(", text)
    return sorted(set(facts)), sorted(set(functions))


peer, peer_functions = names(sys.argv[1])
own, own_functions = names(sys.argv[2])
bad = [str(x) for x in set(peer) ^ set(own)] + list(set(peer_functions) ^ set(own_functions))
if bad:
    sys.exit("only one header defines: " + ", ".join(sorted(bad)[:20]))
if len(own_functions) < 66:
    sys.exit(f"only {len(own_functions)} functions")
for text, value in peer:
    print(f'FACT("{text}", {value})')
for name in peer_functions:
    print(f'FACT("{name}", sizeof(&{name}))')
