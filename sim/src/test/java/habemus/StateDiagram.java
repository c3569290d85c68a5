package habemus;

import habemus.catalogue.AlgorithmSource;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The machine as it is drawn in an algorithm's Javadoc, an arrow a line:
 *
 * <pre>
 *   From, From ── label, label ──▶ To, To   remark
 * </pre>
 *
 * <p>Several names on a side mean all combinations; a dot is a node that has not started; a label is the name of a
 * message or an alarm, or what happened to the node.
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

    /** Of this class; a twin without a picture has that of the class it varies. */
    static StateDiagram of(Class<?> algorithm) {
        return parse(text(algorithm));
    }

    /** As it stands there, without the margin. */
    static String text(Class<?> algorithm) {
        var drawing = DIAGRAM.matcher(AlgorithmSource.of(algorithm));
        if (drawing.find()) {
            return drawing.group(1).replaceAll("(?m)^ \\* {0,3}", "").strip();
        }
        if (algorithm.getSuperclass().getName().startsWith("habemus.")) {
            return text(algorithm.getSuperclass());
        }
        throw new AssertionError("the Javadoc of " + algorithm.getName() + " has no picture: <pre> with arrows ──▶");
    }

    static StateDiagram parse(String drawing) {
        var transitions = new TreeSet<Transition>();
        drawing.lines()
                .map(line -> line.replaceFirst("^ *\\*", "").strip())
                .filter(line -> !line.isEmpty())
                .forEach(line -> add(line, transitions));
        return new StateDiagram(transitions);
    }

    private static void add(String line, SortedSet<Transition> transitions) {
        var parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw new AssertionError("this is no arrow: " + line);
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
