package habemus;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmSpec;
import habemus.check.ModelChecker;
import habemus.check.model.CheckReport;
import habemus.smallscope.CommandLineScope;
import habemus.threads.ThreadMachine;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The documentation page of a program of threads. Its text is written by hand, except for the parts between markers: the
 * statements of the threads, and what the checker says about each variant in a world.
 *
 * <pre>
 * &lt;!-- program --&gt;
 * …
 * &lt;!-- end --&gt;
 *
 * &lt;!-- checked --threads 3 --&gt;
 * …
 * &lt;!-- end --&gt;
 * </pre>
 */
record ProgramPage(Algorithm algorithm) {

    private static final Pattern PART = Pattern.compile("(?s)<!-- (program|checked)( --[^>]*?)? -->\n.*?<!-- end -->");

    String withGeneratedParts(String text) {
        return PART.matcher(text)
                .replaceAll(part -> Matcher.quoteReplacement("<!-- " + part.group(1) + options(part.group(2)) + " -->\n"
                        + (part.group(1).equals("program") ? programs() : checked(options(part.group(2))))
                        + "\n<!-- end -->"));
    }

    private static String options(String group) {
        return group == null ? "" : group;
    }

    private String programs() {
        return variants().entrySet().stream()
                .map(variant -> "`" + variant.getKey().strip() + "`\n\n```\n" + listing(variant.getValue()) + "\n```")
                .collect(Collectors.joining("\n\n"));
    }

    /** The programs by the option that chooses them. */
    private Map<String, ThreadMachine> variants() {
        var variants = new LinkedHashMap<String, ThreadMachine>();
        var option = algorithm.options().getFirst();
        for (String name : option.valueSyntax().split("\\|", -1)) {
            var text = " --" + option.name() + " " + name;
            var spec = AlgorithmSpec.parse(algorithm.name() + text, Problem.THREADS);
            variants.put(text, (ThreadMachine) spec.protocol(0));
        }
        return variants;
    }

    /** Threads with the same statements are listed once. */
    private static String listing(ThreadMachine program) {
        var byText = new LinkedHashMap<String, List<Integer>>();
        IntStream.rangeClosed(1, program.threads())
                .forEach(thread -> byText.computeIfAbsent(
                                String.join("\n", program.listing(thread)), text -> new ArrayList<>())
                        .add(thread));
        return byText.size() == 1
                ? byText.keySet().iterator().next()
                : byText.entrySet().stream()
                        .limit(3)
                        .map(entry -> "thread "
                                + entry.getValue().stream().map(String::valueOf).collect(Collectors.joining(", "))
                                + ":\n    " + entry.getKey().replace("\n", "\n    "))
                        .collect(Collectors.joining("\n"));
    }

    private String checked(String options) {
        var reports = new LinkedHashMap<String, CheckReport>();
        variants().keySet().forEach(variant -> reports.put(variant, check(variant + options)));
        var properties = EnumSet.noneOf(Property.class);
        reports.values().stream()
                .flatMap(report -> report.findings().stream())
                .forEach(finding -> Property.find(finding.name()).ifPresent(properties::add));
        var columns =
                new ArrayList<>(properties.stream().map(Property::toString).toList());
        reports.values().stream()
                .filter(report -> report.find(CheckReport.PROTOCOL_BUG).isPresent())
                .findFirst()
                .ifPresent(report -> columns.add(CheckReport.PROTOCOL_BUG));
        var lines = new ArrayList<String>();
        lines.add("| `habemus check " + algorithm.name() + options + "` | " + String.join(" | ", columns)
                + " | states |");
        lines.add("|---" + "|---".repeat(columns.size()) + "|---|");
        reports.forEach((variant, report) -> lines.add("| `" + variant.strip() + "` | "
                + columns.stream().map(name -> cell(report, name)).collect(Collectors.joining(" | ")) + " | "
                + "%,d".formatted(report.states()) + " |"));
        return String.join("\n", lines);
    }

    private CheckReport check(String options) {
        var scope = CommandLineScope.parse(algorithm.name() + options);
        return ModelChecker.check(scope.protocol(), scope.scope());
    }

    /** A violation with the number of its steps; empty for a property that says nothing about the program. */
    private static String cell(CheckReport report, String property) {
        return report.find(property)
                .map(finding -> finding.verdict() == Verdict.VIOLATED
                        ? "**" + (finding.loopStart().isPresent() ? "forever" : "violated") + "** "
                                + finding.schedule().size()
                        : finding.verdict().toString())
                .orElse("");
    }
}
