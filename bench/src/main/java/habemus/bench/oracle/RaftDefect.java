package habemus.bench.oracle;

import habemus.world.Property;
import java.util.List;

/**
 * One defect, planted in the published specification and in the machine.
 *
 * @param rule the rule that it breaks, as docs/raft.md numbers them
 * @param breaks the property that both checkers must find violated
 * @param world where the machine shows it
 * @param plan where the specification shows it
 */
record RaftDefect(
        String name,
        String rule,
        Property breaks,
        List<SpecEdit> inSpecification,
        List<SourceEdit> inMachine,
        RaftWorld world,
        RunPlan plan) {

    /**
     * Replaces the first occurrence of a text after the definition of an operator.
     *
     * @param operator the left side of the definition
     */
    record SpecEdit(String operator, String original, String changed) {

        String applyTo(String specification) {
            int definition = specification.indexOf("\n" + operator + " ==");
            int at = definition < 0 ? -1 : specification.indexOf(original, definition);
            if (at < 0) {
                throw new IllegalArgumentException("no '" + original + "' in " + operator
                        + "\nhint: use raft.tla of https://github.com/ongardie/raft.tla at commit 6ecbdbc");
            }
            return specification.substring(0, at) + changed + specification.substring(at + original.length());
        }
    }

    /** @param file the name of a class of the machine */
    record SourceEdit(String file, String original, String changed) {}

    /**
     * The order of the main steps of a run. TLC draws all other steps at random.
     *
     * @param steps such as {@code timeout 1}: server 1 starts a term
     * @param links the pairs of leader and follower that replicate; empty for all
     */
    record RunPlan(String steps, String links) {
        static final RunPlan ANY = new RunPlan("", "");
    }

    /** Matches a state in which this node is a candidate or leader of one of these terms. */
    private static String leads(int node, String terms) {
        return "self=n" + node + ", durable=DurableState.term=" + terms + ",.*role=(Candidate|Leading)";
    }

    /** Matches a state in which this node has an entry of this term. */
    private static String holds(int node, Object term) {
        return "self=n" + node + ",.*log=\\[([^]]* )?" + term + ":";
    }

    static final List<RaftDefect> ALL = List.of(
            new RaftDefect(
                    "commits an entry of an earlier term by counting",
                    "C1",
                    Property.LEADER_COMPLETENESS,
                    List.of(new SpecEdit(
                            "AdvanceCommitIndex(i)", "log[i][Max(agreeIndexes)].term = currentTerm[i]", "TRUE")),
                    List.of(new SourceEdit("Commitment", " || s.log().termAt(index) != s.term()", "")),
                    RaftWorld.of("", 4, 0)
                            .withNever(leads(1, "[24]") + "|" + leads(2, ".") + "|" + leads(3, "[13]") + "|"
                                    + holds(1, 2) + "|" + holds(2, 2) + "|" + holds(3, 1)),
                    new RunPlan(
                            "timeout 1, lead 1, request 1, timeout 3, lead 3, request 3,"
                                    + " timeout 1, lead 1, commit 1, timeout 3, lead 3",
                            "1 2")),
            new RaftDefect(
                    "votes without comparing the logs",
                    "section 3.6.1",
                    Property.LEADER_COMPLETENESS,
                    List.of(new SpecEdit("HandleRequestVoteRequest(i, j, m)", "/\\ logOk", "/\\ TRUE")),
                    List.of(new SourceEdit("Voting", "mayVote && isUpToDate(s, request.last())", "mayVote")),
                    RaftWorld.of("", 2, 0),
                    new RunPlan("timeout 1, lead 1, request 1, commit 1, timeout 3, lead 3", "")),
            new RaftDefect(
                    "votes twice in a term",
                    "section 3.4",
                    Property.ELECTION_SAFETY,
                    List.of(new SpecEdit("HandleRequestVoteRequest(i, j, m)", "votedFor[i] \\in {Nil, j}", "TRUE")),
                    List.of(new SourceEdit("Voting", "s.durable().vote().without(from).isEmpty() && ", "")),
                    RaftWorld.of("", 2, 0),
                    new RunPlan("timeout 1, rival 3, lead 1, lead 3", "")),
            new RaftDefect(
                    "counts a vote of an earlier term",
                    "V3",
                    Property.ELECTION_SAFETY,
                    List.of(new SpecEdit(
                            "HandleRequestVoteResponse(i, j, m)",
                            "m.mterm = currentTerm[i]",
                            "m.mterm <= currentTerm[i]")),
                    List.of(new SourceEdit(
                            "Raft",
                            "if (message.term() < s.term()) {",
                            "if (message.term() < s.term() && !(message instanceof VoteGranted)) {")),
                    RaftWorld.of("", 3, 0),
                    new RunPlan("timeout 1, timeout 1, rival 3, lead 1, lead 3", "")),
            new RaftDefect(
                    "acknowledges its last index",
                    "A1",
                    Property.LEADER_COMPLETENESS,
                    List.of(new SpecEdit(
                            "HandleAppendEntriesRequest(i, j, m)", "Len(m.mentries)", "Len(log[i]) - m.mprevLogIndex")),
                    List.of(
                            new SourceEdit("Replication", "following.matchIndex(),", "Long.MAX_VALUE,"),
                            new SourceEdit(
                                    "Replication",
                                    ".send(peer.node(), message(raft, s, next));",
                                    ".send(peer.node(), new AppendEntries(s.term(), s.log().idAt(next - 1), List.of(),"
                                            + " s.commitIndex(), round(s)));")),
                    RaftWorld.of("", 3, 0).withNever(leads(1, "2") + "|" + leads(2, "[13]") + "|" + leads(3, ".")),
                    new RunPlan(
                            "timeout 1, lead 1, request 1, timeout 2, lead 2, request 2, commit 2, timeout 1, lead 1",
                            "2 1")),
            new RaftDefect(
                    "commits up to its last index",
                    "A2",
                    Property.STATE_MACHINE_SAFETY,
                    List.of(
                            new SpecEdit(
                                    "AppendEntries(i, j)",
                                    "SubSeq(log[i], nextIndex[i][j], lastEntry)",
                                    "IF commitIndex[j] < commitIndex[i] THEN <<>>"
                                            + " ELSE SubSeq(log[i], nextIndex[i][j], lastEntry)"),
                            new SpecEdit("AppendEntries(i, j)", "Min({commitIndex[i], lastEntry})", "commitIndex[i]"),
                            new SpecEdit(
                                    "HandleAppendEntriesRequest(i, j, m)",
                                    "m.mcommitIndex",
                                    "Min({m.mcommitIndex, Len(log[i])})")),
                    List.of(
                            new SourceEdit(
                                    "Commitment",
                                    "Math.min(index, following.matchIndex())",
                                    "Math.min(index, s.log().lastIndex())"),
                            new SourceEdit(
                                    "Replication",
                                    "Math.min(m.commitIndex(), match)",
                                    "Math.min(m.commitIndex(), later.log().lastIndex())")),
                    RaftWorld.of("", 3, 0),
                    new RunPlan("timeout 1, lead 1, request 1, timeout 2, lead 2, request 2, commit 2", "2 1, 2 3")),
            new RaftDefect(
                    "accepts an acknowledgement of an earlier term",
                    "A3",
                    Property.LEADER_COMPLETENESS,
                    List.of(new SpecEdit(
                            "HandleAppendEntriesResponse(i, j, m)",
                            "m.mterm = currentTerm[i]",
                            "m.mterm <= currentTerm[i]")),
                    List.of(new SourceEdit(
                            "Raft",
                            "if (message.term() < s.term()) {",
                            "if (message.term() < s.term() && !(message instanceof AppendAck)) {")),
                    RaftWorld.of("", 3, 0)
                            .withTailLosses(1)
                            .withNever(leads(1, "3") + "|" + leads(2, "[12]") + "|" + leads(3, ".") + "|" + holds(2, 2)
                                    + "|" + holds(3, 1) + "|" + holds(3, 2)),
                    new RunPlan(
                            "timeout 1, lead 1, request 1, tail 1, timeout 1, lead 1, request 1, commit 1,"
                                    + " timeout 2, lead 2",
                            "1 2")),
            new RaftDefect(
                    "keeps an entry without comparing its term",
                    "A4",
                    Property.STATE_MACHINE_SAFETY,
                    List.of(
                            new SpecEdit(
                                    "HandleAppendEntriesRequest(i, j, m)",
                                    "log[i][index].term = m.mentries[1].term",
                                    "TRUE"),
                            new SpecEdit(
                                    "HandleAppendEntriesRequest(i, j, m)",
                                    "log[i][index].term /= m.mentries[1].term",
                                    "FALSE")),
                    List.of(new SourceEdit(
                            "Replication",
                            "s.log().termAt(index) == entryAt(m, index).term()",
                            "entryAt(m, index).term() > 0")),
                    RaftWorld.of("", 3, 0),
                    new RunPlan("timeout 1, lead 1, request 1, timeout 2, lead 2, request 2, commit 2", "2 1")));
}
