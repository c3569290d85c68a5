package habemus.lab.compare;

import habemus.world.Problem;
import java.util.List;
import java.util.stream.IntStream;

/** Explains differences between measured costs and textbook costs. */
public final class ComparisonNotes {

    private record Note(Problem problem, String algorithm, String sentence) {}

    private static final String MARKS = "¹²³⁴⁵⁶⁷⁸⁹";

    private static final List<Note> ALL = List.of(
            mutex(
                    "central",
                    "the coordinator requests from itself without messages: 3(n-1)/n on average over the nodes, not 3"),
            mutex("token-ring", "the token circulates without requests too: a single entry has no fixed cost"),
            mutex(
                    "maekawa",
                    "two concurrent requests may each hold a vote that the other needs: it deadlocks under contention,"
                            + " so its handover is measured with one holder and one waiter"),
            mutex("maekawa-deadlock-free", "under contention votes are inquired and yielded: more than 3(k-1)"),
            mutex("suzuki-kasami", "the token holder enters again without messages: under contention less than n"),
            mutex(
                    "quorum",
                    "a node with too few grants releases them and backs off for a random time: under contention its"
                            + " messages and handover depend on random delays, not only on message delays"),
            election("bully-stable", "it waits for a timeout to be sure that no better node is up: most of its time"),
            election("max-alive", "it sends nothing: the oracle detector of the simulator tells which nodes are up"),
            election(
                    "term-majority",
                    "a node that knows no leader waits for a random time before it campaigns: most of its time"),
            election("gossip-large-group", "it runs in rounds of its own clock, each longer than a message delay"));

    private ComparisonNotes() {}

    private static Note mutex(String algorithm, String sentence) {
        return new Note(Problem.MUTEX, algorithm, sentence);
    }

    private static Note election(String algorithm, String sentence) {
        return new Note(Problem.ELECTION, algorithm, sentence);
    }

    private static List<Note> about(Problem problem) {
        return ALL.stream().filter(note -> note.problem == problem).toList();
    }

    /** The footnote mark behind the name of an algorithm; empty if it has no note. */
    public static String mark(String algorithm, Problem problem) {
        var names = about(problem).stream().map(Note::algorithm).toList();
        int index = names.indexOf(algorithm);
        return index < 0 ? "" : " " + MARKS.charAt(index);
    }

    /** The footnotes, one line each with its mark. */
    public static List<String> of(Problem problem) {
        var notes = about(problem);
        return IntStream.range(0, notes.size())
                .mapToObj(i -> MARKS.charAt(i) + " " + notes.get(i).algorithm + ": " + notes.get(i).sentence + ".")
                .toList();
    }
}
