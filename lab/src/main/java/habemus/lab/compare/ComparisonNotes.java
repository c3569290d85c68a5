package habemus.lab.compare;

import habemus.world.Problem;
import java.util.List;
import java.util.stream.IntStream;

/** Why what is measured is not what the textbook says, where a reader would stumble. */
public final class ComparisonNotes {

    private record Note(Problem problem, String algorithm, String sentence) {}

    private static final String MARKS = "¹²³⁴⁵⁶⁷⁸⁹";

    private static final List<Note> ALL = List.of(
            mutex(
                    "central",
                    "the coordinator asks itself, without messages: 3(n-1)/n on average over the nodes, not 3"),
            mutex(
                    "token-ring",
                    "the token goes round whether or not anybody wants it: alone, an entry costs no fixed number"),
            mutex(
                    "maekawa",
                    "two that ask at once may each have a vote that the other needs: busy, it deadlocks, so its"
                            + " handover is that from one to the only one that waits"),
            mutex("maekawa-deadlock-free", "busy, votes are asked back and returned: more than 3(k-1)"),
            mutex("suzuki-kasami", "who still has the token enters again without messages: busy, less than n"),
            mutex(
                    "quorum",
                    "who has too few grants gives them back and waits for a random time: busy, its messages and its"
                            + " handover are a matter of luck and patience, not of message delays"),
            election("bully-stable", "it waits for an alarm to be sure that nobody better is up: most of its time"),
            election("max-alive", "it sends nothing: the world's own detector tells it who is up"),
            election(
                    "term-majority",
                    "who hears of no leader waits for a random time before it stands: most of its time"),
            election("gossip-large-group", "it goes by rounds of its own clock, each longer than a message takes"));

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

    /** What stands behind the name of an algorithm about which there is a note; nothing if there is none. */
    public static String mark(String algorithm, Problem problem) {
        var names = about(problem).stream().map(Note::algorithm).toList();
        int place = names.indexOf(algorithm);
        return place < 0 ? "" : " " + MARKS.charAt(place);
    }

    /** A line for each, with its mark. */
    public static List<String> of(Problem problem) {
        var notes = about(problem);
        return IntStream.range(0, notes.size())
                .mapToObj(i -> MARKS.charAt(i) + " " + notes.get(i).algorithm + ": " + notes.get(i).sentence + ".")
                .toList();
    }
}
