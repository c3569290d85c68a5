---------------------------- MODULE LamportMutex ----------------------------
(***************************************************************************)
(* Lamport's mutual exclusion (CACM 21(7), 1978) for TLC, so that its      *)
(* states are those of the published module of that name in the            *)
(* repository tlaplus/Examples, and those of TlaLamport: the same          *)
(* actions, the same atomicity, the same bound.                            *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS
    Nodes,     \* number of nodes; they are numbered from 1
    MaxClock   \* states with a larger clock are found but not expanded

Node == 1 .. Nodes

VARIABLES
    clock,     \* clock of each node
    requests,  \* requests[n][m]: the clock of m's request as n knows it, 0 if there is none
    acks,      \* acks[n]: the nodes that acknowledged the request of n
    critical,  \* the nodes in the critical section
    link       \* link[n][m]: messages in flight from n to m, the oldest first

vars == <<clock, requests, acks, critical, link>>

-----------------------------------------------------------------------------

Req(time) == [kind |-> "req", time |-> time]
Ack == [kind |-> "ack", time |-> 0]
Rel == [kind |-> "rel", time |-> 0]

ToAllOthers(n, message) ==
    [link EXCEPT ![n] = [m \in Node |-> IF m = n THEN link[n][m] ELSE Append(link[n][m], message)]]

Arrives(n, m, kind) ==                              \* the oldest message from m to n is of this kind
    /\ link[m][n] # <<>>
    /\ Head(link[m][n]).kind = kind

First(n, m) ==                                      \* n's request precedes that of m
    \/ requests[n][m] = 0
    \/ requests[n][n] < requests[n][m]
    \/ requests[n][n] = requests[n][m] /\ n < m

-----------------------------------------------------------------------------

Init ==
    /\ clock = [n \in Node |-> 1]
    /\ requests = [n \in Node |-> [m \in Node |-> 0]]
    /\ acks = [n \in Node |-> {}]
    /\ critical = {}
    /\ link = [n \in Node |-> [m \in Node |-> <<>>]]

Request(n) ==
    /\ requests[n][n] = 0
    /\ requests' = [requests EXCEPT ![n][n] = clock[n]]
    /\ acks' = [acks EXCEPT ![n] = {n}]
    /\ link' = ToAllOthers(n, Req(clock[n]))
    /\ UNCHANGED <<clock, critical>>

Enter(n) ==
    /\ acks[n] = Node
    /\ \A m \in Node \ {n} : First(n, m)
    /\ critical' = critical \cup {n}
    /\ UNCHANGED <<clock, requests, acks, link>>

Exit(n) ==
    /\ n \in critical
    /\ critical' = critical \ {n}
    /\ requests' = [requests EXCEPT ![n][n] = 0]
    /\ acks' = [acks EXCEPT ![n] = {}]
    /\ link' = ToAllOthers(n, Rel)
    /\ UNCHANGED clock

ReceiveRequest(n, m) ==
    /\ Arrives(n, m, "req")
    /\ LET theirs == Head(link[m][n]).time
       IN  /\ requests' = [requests EXCEPT ![n][m] = theirs]
           /\ clock' = [clock EXCEPT ![n] = IF theirs > @ THEN theirs + 1 ELSE @ + 1]
    /\ link' = [link EXCEPT ![m][n] = Tail(@), ![n][m] = Append(@, Ack)]
    /\ UNCHANGED <<acks, critical>>

ReceiveAck(n, m) ==
    /\ Arrives(n, m, "ack")
    /\ acks' = [acks EXCEPT ![n] = @ \cup {m}]
    /\ link' = [link EXCEPT ![m][n] = Tail(@)]
    /\ UNCHANGED <<clock, requests, critical>>

ReceiveRelease(n, m) ==
    /\ Arrives(n, m, "rel")
    /\ requests' = [requests EXCEPT ![n][m] = 0]
    /\ link' = [link EXCEPT ![m][n] = Tail(@)]
    /\ UNCHANGED <<clock, acks, critical>>

Next ==
    \/ \E n \in Node : Request(n) \/ Enter(n) \/ Exit(n)
    \/ \E n \in Node : \E m \in Node \ {n} :
           ReceiveRequest(n, m) \/ ReceiveAck(n, m) \/ ReceiveRelease(n, m)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------

InBounds == \A n \in Node : clock[n] <= MaxClock

MutualExclusion == \A n, m \in critical : n = m

=============================================================================
