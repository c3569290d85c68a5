---------------------------- MODULE LamportMutex ----------------------------
(***************************************************************************)
(* Lamport's mutual exclusion (CACM 21(7), 1978) for TLC, so that its      *)
(* states are those of the published module of that name in the            *)
(* repository tlaplus/Examples, and those of LamportTwin: the same         *)
(* actions, the same atomicity, the same bound.                            *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS
    Nodes,     \* how many there are; they are numbered from 1
    Latest     \* states with a clock above it are met, but not looked behind

Node == 1 .. Nodes

VARIABLES
    clock,     \* of each node
    asked,     \* asked[n][m]: the clock of m's request as n knows it, 0 if there is none
    answers,   \* who acknowledged the request of each node
    inside,    \* those in the critical section
    link       \* link[n][m]: what is under way from n to m, the oldest first

vars == <<clock, asked, answers, inside, link>>

-----------------------------------------------------------------------------

Req(time) == [kind |-> "req", time |-> time]
Ack == [kind |-> "ack", time |-> 0]
Rel == [kind |-> "rel", time |-> 0]

ToAllOthers(n, message) ==
    [link EXCEPT ![n] = [m \in Node |-> IF m = n THEN link[n][m] ELSE Append(link[n][m], message)]]

Arrives(n, m, kind) ==                              \* the oldest from m to n is of this kind
    /\ link[m][n] # <<>>
    /\ Head(link[m][n]).kind = kind

First(n, m) ==                                      \* n's request goes before that of m
    \/ asked[n][m] = 0
    \/ asked[n][n] < asked[n][m]
    \/ asked[n][n] = asked[n][m] /\ n < m

-----------------------------------------------------------------------------

Init ==
    /\ clock = [n \in Node |-> 1]
    /\ asked = [n \in Node |-> [m \in Node |-> 0]]
    /\ answers = [n \in Node |-> {}]
    /\ inside = {}
    /\ link = [n \in Node |-> [m \in Node |-> <<>>]]

Request(n) ==
    /\ asked[n][n] = 0
    /\ asked' = [asked EXCEPT ![n][n] = clock[n]]
    /\ answers' = [answers EXCEPT ![n] = {n}]
    /\ link' = ToAllOthers(n, Req(clock[n]))
    /\ UNCHANGED <<clock, inside>>

Enter(n) ==
    /\ answers[n] = Node
    /\ \A m \in Node \ {n} : First(n, m)
    /\ inside' = inside \cup {n}
    /\ UNCHANGED <<clock, asked, answers, link>>

Exit(n) ==
    /\ n \in inside
    /\ inside' = inside \ {n}
    /\ asked' = [asked EXCEPT ![n][n] = 0]
    /\ answers' = [answers EXCEPT ![n] = {}]
    /\ link' = ToAllOthers(n, Rel)
    /\ UNCHANGED clock

ReceiveRequest(n, m) ==
    /\ Arrives(n, m, "req")
    /\ LET theirs == Head(link[m][n]).time
       IN  /\ asked' = [asked EXCEPT ![n][m] = theirs]
           /\ clock' = [clock EXCEPT ![n] = IF theirs > @ THEN theirs + 1 ELSE @ + 1]
    /\ link' = [link EXCEPT ![m][n] = Tail(@), ![n][m] = Append(@, Ack)]
    /\ UNCHANGED <<answers, inside>>

ReceiveAck(n, m) ==
    /\ Arrives(n, m, "ack")
    /\ answers' = [answers EXCEPT ![n] = @ \cup {m}]
    /\ link' = [link EXCEPT ![m][n] = Tail(@)]
    /\ UNCHANGED <<clock, asked, inside>>

ReceiveRelease(n, m) ==
    /\ Arrives(n, m, "rel")
    /\ asked' = [asked EXCEPT ![n][m] = 0]
    /\ link' = [link EXCEPT ![m][n] = Tail(@)]
    /\ UNCHANGED <<clock, answers, inside>>

Next ==
    \/ \E n \in Node : Request(n) \/ Enter(n) \/ Exit(n)
    \/ \E n \in Node : \E m \in Node \ {n} :
           ReceiveRequest(n, m) \/ ReceiveAck(n, m) \/ ReceiveRelease(n, m)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------

InBounds == \A n \in Node : clock[n] <= Latest

MutualExclusion == \A n, m \in inside : n = m

=============================================================================
