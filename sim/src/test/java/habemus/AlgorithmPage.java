package habemus;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.AlgorithmSource;
import habemus.catalogue.CostFormula;
import habemus.measure.CostMeasurement;
import habemus.world.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The documentation page of an algorithm. Its text is written by hand, except for the parts between markers, which are
 * generated. {@code habemus matrix} generates the part about tolerated faults.
 *
 * <pre>
 * &lt;!-- costs --&gt;
 * …
 * &lt;!-- end --&gt;
 * </pre>
 */
record AlgorithmPage(Algorithm algorithm) {

    private static final Pattern LINK = Pattern.compile("@see <a href=\"([^\"]+)\">([^<]+)</a>");
    private static final Pattern TITLE = Pattern.compile("@see \"([^\"]+)\"");
    private static final List<Integer> SIZES = List.of(3, 5, 7);

    private record Part(String name, Supplier<String> text) {}

    /** This text with the parts between markers generated again. */
    String withGeneratedParts(String text) {
        return algorithm.problem() == Problem.THREADS
                ? new ProgramPage(algorithm).withGeneratedParts(text)
                : withMeasuredParts(text);
    }

    private String withMeasuredParts(String text) {
        for (Part part : parts()) {
            var marked = Pattern.compile("(?s)<!-- " + part.name + " -->\n.*?<!-- end -->")
                    .matcher(text);
            if (!marked.find()) {
                throw new AssertionError("the page of " + algorithm.name() + " has no <!-- " + part.name + " -->");
            }
            var generated = "<!-- " + part.name + " -->\n" + part.text.get() + "\n<!-- end -->";
            text = marked.replaceFirst(Matcher.quoteReplacement(generated));
        }
        return text;
    }

    private List<Part> parts() {
        var parts = new ArrayList<Part>();
        parts.add(new Part("machine", this::machine));
        parts.add(new Part("costs", this::costs));
        parts.add(new Part("source", this::source));
        return parts;
    }

    private String machine() {
        return "```\n" + StateDiagram.text(type()) + "\n```";
    }

    private String costs() {
        var head = "| | expected | "
                + SIZES.stream().map(n -> "measured, n = " + n).collect(Collectors.joining(" | "));
        var lines = new ArrayList<String>();
        lines.add(head + " |");
        lines.add("|---|---" + "|---".repeat(SIZES.size()) + "|");
        algorithm.costs().forEach(costFormula -> lines.add(costs(costFormula)));
        return String.join("\n", lines);
    }

    private String costs(CostFormula costFormula) {
        return SIZES.stream()
                .map(n -> new CostMeasurement(algorithm, n).measure(costFormula))
                .map(ratios -> ratios.stream().map(Object::toString).distinct().collect(Collectors.joining(", ")))
                .collect(Collectors.joining(
                        " | ", "| " + costFormula.label() + " | " + costFormula.formula() + " | ", " |"));
    }

    private String source() {
        var text = AlgorithmSource.of(type());
        var sources = Stream.concat(
                LINK.matcher(text).results().map(link -> "[" + oneLine(link.group(2)) + "](" + link.group(1) + ")"),
                TITLE.matcher(text).results().map(title -> title.group(1)));
        return sources.findFirst().orElse("None: it was written for this repository.");
    }

    /** Joins the lines of a Javadoc comment. */
    private static String oneLine(String text) {
        return text.replaceAll("\\s*\\R \\*\\s*", " ");
    }

    private Class<?> type() {
        return algorithm.create(AlgorithmParameters.defaults()).getClass();
    }
}
