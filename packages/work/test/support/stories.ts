/**
 * For each mutation, the report of the shortest run in which the mutation's error shows. The shortest run has
 * the fewest faults and preemptions, and among such runs the fewest lines.
 */
export const withoutFence = `
DONE_AFTER_FAILED blames a provider that followed its contract; recorded is FAILED, and the money has moved
a provider that takes
0 ms: A claims the order, which is STORED
0 ms: A saves “sending”: STORED → ORDERED
0 ms: A waits for a token for its order until 110 ms
10 ms: B claims the order, which is ORDERED
10 ms: B queries the order: there is none
10 ms: B has its token, and its order leaves
10 ms: the provider gets B’s order: refused
10 ms: B saves “refused”: ORDERED → UNCONFIRMED
110 ms: B claims the order, which is UNCONFIRMED
110 ms: B queries the order: there is none
110 ms: B saves “not_found”: UNCONFIRMED → FAILED
110 ms: A has its token, and its order leaves
110 ms: the provider gets A’s order: done
110 ms: A saves “done, late”: FAILED → FAILED
110 ms: A raises the alarm DONE_AFTER_FAILED`.trim();

export const withoutToken = `
DONE_AFTER_FAILED blames a provider that followed its contract; recorded is FAILED, and the money has moved
a provider that takes
0 ms: A claims the order, which is STORED
0 ms: A saves “sending”: STORED → ORDERED
0 ms: A has its token, and its order leaves
0 ms: the provider gets A’s order: refused
0 ms: A stands still before it saves its result until 10 ms
10 ms: B claims the order, which is ORDERED
10 ms: B queries the order: there is none
10 ms: B has its token, and its order leaves
10 ms: the provider gets B’s order: done
10 ms: A saves “refused”: ORDERED → FAILED
10 ms: B saves “done”: FAILED → FAILED
10 ms: B raises the alarm DONE_AFTER_FAILED`.trim();

export const withoutConfirmation = `
DONE_AFTER_FAILED blames a provider that followed its contract; recorded is FAILED, and the money has moved
a provider that takes
0 ms: A claims the order, which is STORED
0 ms: A saves “sending”: STORED → ORDERED
0 ms: A has its token, and its order leaves
0 ms: A’s order is held on the way until 10 ms
10 ms: B claims the order, which is ORDERED
10 ms: B queries the order: there is none
10 ms: B has its token, and its order leaves
10 ms: the provider gets B’s order: refused
10 ms: B saves “refused”: ORDERED → UNCONFIRMED
10 ms: B claims the order, which is UNCONFIRMED
10 ms: B queries the order: there is none
10 ms: B saves “not_found”: UNCONFIRMED → FAILED
10 ms: the provider gets A’s order: done
10 ms: A saves “done, late”: FAILED → FAILED
10 ms: A raises the alarm DONE_AFTER_FAILED`.trim();

export const writingOver = `
DONE, an end, was written over
a provider that accepts, then pays
0 ms: A claims the order, which is STORED
0 ms: A saves “sending”: STORED → ORDERED
0 ms: A has its token, and its order leaves
0 ms: the provider gets A’s order: accepted
0 ms: A saves “accepted”: ORDERED → ACCEPTED
20 ms: A claims the order, which is ACCEPTED
20 ms: A queries the order: accepted
20 ms: A stands still before it saves its result until 30 ms
30 ms: B claims the order, which is ACCEPTED
30 ms: B queries the order: done
30 ms: B saves “done”: ACCEPTED → DONE
30 ms: A saves “accepted, late”: DONE → ACCEPTED`.trim();
