------------------------------ MODULE RaftOracle ------------------------------
\* Bounds for the published specification of Raft, and the properties of the paper as state predicates.
\* The module raft is not part of this repository: see docs/raft-oracle.md.
EXTENDS raft

CONSTANTS
    MaxTimeouts,    \* elections started in one run, over all servers
    MaxRequests,    \* client requests in one run
    MaxDrops,
    MaxDuplicates,
    MaxRestarts,
    MaxTailLosses,  \* restarts that lose the entries of a leader that are not synced
    Plan,           \* the order of timeouts, elections, requests, commits and tail losses; empty for any order
    Links           \* the pairs of leader and follower that replicate

VARIABLES
    used,           \* how often each bounded step was taken
    leaders,        \* every pair of term and leader so far
    committed,      \* every entry that a server ever knew to be committed, with the term in which it did so first
    synced          \* entries of each server that a crash cannot take; without tail losses, all of them

bounds == <<used, leaders, committed, synced>>

Steps == {"timeout", "request", "drop", "duplicate", "restart", "tail", "planned"}

OracleInit ==
    /\ Init
    /\ used = [step \in Steps |-> 0]
    /\ leaders = {}
    /\ committed = {}
    /\ synced = [i \in Server |-> 0]

Within(step, limit) == used[step] < limit /\ used' = [used EXCEPT ![step] = @ + 1]

\* The next step of the plan, if there is a plan.
Planned(step, i) ==
    IF Plan = <<>> THEN UNCHANGED used
    ELSE /\ used["planned"] < Len(Plan)
         /\ Plan[used["planned"] + 1] = <<step, i>>
         /\ used' = [used EXCEPT !["planned"] = @ + 1]

PlannedWithin(step, limit, i) == IF Plan = <<>> THEN Within(step, limit) ELSE limit > 0 /\ Planned(step, i)

Free == UNCHANGED used

\* The answer to a message may be of a later term.
InFlight(type, from, to, term) ==
    \E m \in DOMAIN messages :
        m.mtype = type /\ m.msource = from /\ m.mdest = to /\ m.mterm >= term

\* A candidate asks each server once, and again only if the request or the answer was dropped.
MustAsk(i, j) ==
    /\ state[i] = Candidate
    /\ j \notin votesResponded[i]
    /\ ~InFlight(RequestVoteRequest, i, j, currentTerm[i])
    /\ ~InFlight(RequestVoteResponse, j, i, currentTerm[i])

Ask(i, j) == MustAsk(i, j) /\ RequestVote(i, j) /\ Free

\* A leader has one message on its way to a follower, and sends only what the follower lacks.
Replicate(i, j) ==
    /\ state[i] = Leader /\ i /= j
    /\ <<i, j>> \in Links
    /\ nextIndex[i][j] <= Len(log[i]) + 1
    /\ ~InFlight(AppendEntriesRequest, i, j, currentTerm[i])
    /\ ~InFlight(AppendEntriesResponse, j, i, currentTerm[i])
    /\ \/ nextIndex[i][j] <= Len(log[i])
       \/ currentTerm[j] < currentTerm[i]
       \/ currentTerm[j] = currentTerm[i] /\ state[j] = Candidate
       \/ commitIndex[j] < commitIndex[i]
    /\ AppendEntries(i, j)
    /\ Free

HasTails == MaxTailLosses > 0

Commit(i) ==
    /\ HasTails => synced[i] = Len(log[i])
    /\ AdvanceCommitIndex(i)
    /\ commitIndex' /= commitIndex
    /\ Planned("commit", i)

\* The requests are the numbers from one on, each of them once.
Request(i) ==
    \E value \in Value :
        /\ value = used["request"] + 1
        /\ value <= MaxRequests
        /\ Plan /= <<>> => used["planned"] < Len(Plan) /\ Plan[used["planned"] + 1] = <<"request", i>>
        /\ ClientRequest(i, value)
        /\ used' = [used EXCEPT !["request"] = value, !["planned"] = IF Plan = <<>> THEN @ ELSE @ + 1]

\* A crash takes entries that a leader appended and did not sync. The specification itself syncs at once.
LoseTail(i) ==
    /\ HasTails
    /\ synced[i] < Len(log[i])
    /\ PlannedWithin("tail", MaxTailLosses, i)
    /\ log' = [log EXCEPT ![i] = SubSeq(@, 1, synced[i])]
    /\ state' = [state EXCEPT ![i] = Follower]
    /\ commitIndex' = [commitIndex EXCEPT ![i] = 0]
    /\ votesResponded' = [votesResponded EXCEPT ![i] = {}]
    /\ votesGranted' = [votesGranted EXCEPT ![i] = {}]
    /\ UNCHANGED <<messages, currentTerm, votedFor, voterLog, leaderVars>>

Sync(i) ==
    /\ HasTails
    /\ synced[i] < Len(log[i])
    /\ synced' = [synced EXCEPT ![i] = Len(log[i])]
    /\ UNCHANGED <<messages, serverVars, candidateVars, leaderVars, logVars>>
    /\ Free

\* In a plan, a timeout starts a term that no server has seen; a rival joins a term.
IsHighest(i) == Plan = <<>> \/ \A j \in Server : currentTerm[j] <= currentTerm[i]

\* In the published specification, no later step makes a server count this answer.
IsStale(m) == m.mtype \in {RequestVoteResponse, AppendEntriesResponse} /\ m.mterm < currentTerm[m.mdest]

\* Steps that no other step prevents or changes. They come first, which leaves out orders of steps but no violation.
\* A plan takes no step first: a defect may count a stale answer.
HasUrgent ==
    /\ Plan = <<>>
    /\ \/ \E m \in DOMAIN messages : IsStale(m)
       \/ \E i, j \in Server : MustAsk(i, j)

UrgentStep ==
    \/ \E m \in DOMAIN messages : IsStale(m) /\ Receive(m) /\ Free
    \/ \E i, j \in Server : Ask(i, j)

SpecStep ==
    \/ \E i \in Server : Timeout(i) /\ IsHighest(i) /\ PlannedWithin("timeout", MaxTimeouts, i)
    \/ \E i \in Server : Timeout(i) /\ Plan /= <<>> /\ PlannedWithin("rival", MaxTimeouts, i)
    \/ \E i, j \in Server : Ask(i, j)
    \/ \E i \in Server : BecomeLeader(i) /\ Planned("lead", i)
    \/ \E i \in Server : Request(i)
    \/ \E i \in Server : Commit(i)
    \/ \E i, j \in Server : Replicate(i, j)
    \/ \E m \in DOMAIN messages : Receive(m) /\ Free
    \/ \E m \in DOMAIN messages : DuplicateMessage(m) /\ Within("duplicate", MaxDuplicates)
    \/ \E m \in DOMAIN messages : DropMessage(m) /\ Within("drop", MaxDrops)
    \/ \E i \in Server : Restart(i) /\ Within("restart", MaxRestarts)
    \/ \E i \in Server : LoseTail(i)

\* Only what a leader has appended since it leads can be lost. A follower syncs before it answers.
SyncedAfter(i) ==
    IF ~HasTails THEN 0
    ELSE IF state'[i] = Leader /\ state[i] = Leader THEN synced[i]
    ELSE Len(log'[i])

Known(i) == IF commitIndex'[i] < Len(log'[i]) THEN commitIndex'[i] ELSE Len(log'[i])

IsRecorded(index, entry) == \E c \in committed : c.index = index /\ c.entry = entry

Record ==
    /\ leaders' = leaders \cup {<<currentTerm'[i], i>> : i \in {j \in Server : state'[j] = Leader}}
    /\ committed' = committed \cup UNION {
           {[index |-> k, entry |-> log'[i][k], at |-> currentTerm'[i]] :
               k \in {index \in 1..Known(i) : ~IsRecorded(index, log'[i][index])}} : i \in Server}
    /\ allLogs' = allLogs

OracleNext ==
    /\ \/ (IF HasUrgent THEN UrgentStep ELSE SpecStep) /\ synced' = [i \in Server |-> SyncedAfter(i)]
       \/ \E i \in Server : Sync(i)
    /\ Record

OracleSpec == OracleInit /\ [][OracleNext]_<<vars, bounds>>

\* The part of the state that later steps can read: without the history variables of the proof.
OracleView == <<
    messages, currentTerm, state, votedFor, log, commitIndex, used, leaders, committed, synced,
    [i \in Server |-> IF state[i] = Candidate THEN <<votesResponded[i], votesGranted[i]>> ELSE <<>>],
    [i \in Server |-> IF state[i] = Leader THEN <<nextIndex[i], matchIndex[i]>> ELSE <<>>]>>

Symmetric == Permutations(Server)

\* At most one leader in a term.
ElectionSafety == \A a, b \in leaders : a[1] = b[1] => a[2] = b[2]

\* Two logs with an entry of the same index and term are equal up to it.
LogMatching ==
    \A i, j \in Server : \A k \in 1..Len(log[i]) :
        k <= Len(log[j]) /\ log[i][k].term = log[j][k].term => SubSeq(log[i], 1, k) = SubSeq(log[j], 1, k)

\* An entry that was committed in a term is in the log of every leader of a later term.
LeaderCompleteness ==
    \A i \in Server : state[i] = Leader =>
        \A c \in committed : c.at < currentTerm[i] => c.index <= Len(log[i]) /\ log[i][c.index] = c.entry

\* No two servers apply different entries at one index.
StateMachineSafety == \A a, b \in committed : a.index = b.index => a.entry = b.entry

\* Must be violated: a world in which nothing is committed proves nothing.
NothingIsCommitted == committed = {}
===============================================================================
