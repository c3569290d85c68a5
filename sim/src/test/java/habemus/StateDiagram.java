package habemus;

import habemus.catalogue.AlgorithmSource;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The state diagram in the Javadoc of an algorithm, one transition per line:
 *
 * <pre>
 *   From, From ── label, label ──▶ To, To   remark
 * </pre>
 *
 * <p>Several names on a side mean all combinations. A dot is a node that has not started. A label is the name of a
 * message, a timer or an event.
 */
record StateDiagram(SortedSet<Transition> transitions) {

    static final String NOT_STARTED = "·";

    private static final Pattern DIAGRAM = Pattern.compile("<pre>([^<]*▶[^<]*)</pre>");
    private static final Pattern LINE = Pattern.compile("(?<from>[^─]+)─+(?<labels>[^─▶]+)─*▶(?<to>.+)");
    private static final Pattern REMARK = Pattern.compile(" {2,}");

    record Transition(String from, String label, String to) implements Comparable<Transition> {
        private static final Comparator<Transition> ORDER = Comparator.comparing(Transition::from)
                .thenComparing(Transition::label)
                .thenComparing(Transition::to);

        @Override
        public int compareTo(Transition other) {
            return ORDER.compare(this, other);
        }

        @Override
        public String toString() {
            return from + " ── " + label + " ──▶ " + to;
        }
    }

    /** The diagram of this class, or of its superclass if it has none. */
    static StateDiagram of(Class<?> algorithm) {
        return parse(text(algorithm));
    }

    /** The text of the diagram, without the margin of the comment. */
    static String text(Class<?> algorithm) {
        var diagram = DIAGRAM.matcher(AlgorithmSource.of(algorithm));
        if (diagram.find()) {
            return diagram.group(1).replaceAll("(?m)^ \\* {0,3}", "").strip();
        }
        if (algorithm.getSuperclass().getName().startsWith("habemus.")) {
            return text(algorithm.getSuperclass());
        }
        throw new AssertionError("no state diagram in the Javadoc of " + algorithm.getName() + ": <pre> with ──▶");
    }

    static StateDiagram parse(String text) {
        var transitions = new TreeSet<Transition>();
        text.lines()
                .map(line -> line.replaceFirst("^ *\\*", "").strip())
                .filter(line -> !line.isEmpty())
                .forEach(line -> add(line, transitions));
        return new StateDiagram(transitions);
    }

    private static void add(String line, SortedSet<Transition> transitions) {
        var parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw new AssertionError("not a transition: " + line);
        }
        var to = REMARK.split(parts.group("to").strip(), 2)[0];
        for (String from : names(parts.group("from"))) {
            for (String label : names(parts.group("labels"))) {
                names(to).forEach(target -> transitions.add(new Transition(from, label, target)));
            }
        }
    }

    private static List<String> names(String text) {
        return Pattern.compile(",").splitAsStream(text).map(String::strip).toList();
    }
}
