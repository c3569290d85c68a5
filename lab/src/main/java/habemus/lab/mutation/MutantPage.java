package habemus.lab.mutation;

import habemus.check.model.CheckReport;
import habemus.lab.diagram.svg.RunSvg;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Formats killed mutants as a section of a Markdown page. */
public final class MutantPage {

    /** The command whose markers enclose the section. */
    public static final String COMMAND = "habemus mutants";

    /** Longer runs are not drawn. */
    private static final int MAX_DRAWN_STEPS = 12;

    private MutantPage() {}

    /** Whether the mutants of an algorithm have sections, and so a page of their own. */
    public static boolean hasOwnPage(String algorithm) {
        return Mutant.of(algorithm).stream()
                .anyMatch(mutant -> !mutant.section().isEmpty());
    }

    /** The section of the page of one algorithm, with the headings of its file of mutants. */
    public static String ofAlgorithm(List<KilledMutant> killedMutants) {
        var text = new StringBuilder();
        var section = "";
        for (KilledMutant killedMutant : killedMutants) {
            if (!killedMutant.mutant().section().equals(section)) {
                section = killedMutant.mutant().section();
                text.append("\n## ").append(section).append('\n');
            }
            text.append(withCommands(killedMutant));
        }
        return text.append('\n').toString();
    }

    private static String withCommands(KilledMutant killedMutant) {
        var mutant = killedMutant.mutant();
        return """

                ### %s

                %s

                %s
                Breaks **%s** in %s, %s steps. `./habemus mutants %s` replays it. %s:

                ```
                %s
                ```

                ![The run that kills %s](%s)

                %s""".formatted(
                        mutant.name(),
                        mutant.rationale(),
                        diff(mutant),
                        mutant.breaks(),
                        killedMutant.kind(),
                        killedMutant.steps(),
                        mutant,
                        describeOriginal(mutant),
                        checkCommand(mutant),
                        mutant.name(),
                        picture(mutant),
                        details(killedMutant));
    }

    /** What the original algorithm does in the same world. */
    private static String describeOriginal(Mutant mutant) {
        return mutant.world().contains(" --depth ")
                ? "The world is too large for a complete check, so the original is checked to the depth of this run"
                : "The original violates nothing in\nthe whole of the same world";
    }

    private static String checkCommand(Mutant mutant) {
        var property = mutant.breaks().equals(CheckReport.PROTOCOL_BUG) ? "" : " --property " + mutant.breaks();
        return "./habemus check " + mutant.world() + property;
    }

    /** The pictures of the page of one algorithm: their contents by path, relative to the page. */
    public static SortedMap<String, String> pictures(List<KilledMutant> killedMutants) {
        var pictures = new TreeMap<String, String>();
        killedMutants.forEach(
                killedMutant -> pictures.put(picture(killedMutant.mutant()), RunSvg.draw(killedMutant.recording())));
        return pictures;
    }

    /** For example {@code raft/a1.svg}. */
    private static String picture(Mutant mutant) {
        return mutant.algorithm() + "/"
                + mutant.name().substring(0, mutant.name().indexOf('-')) + ".svg";
    }

    /** The algorithms with a page of their own are not included. */
    public static String of(List<KilledMutant> all) {
        var killedMutants = all.stream()
                .filter(killedMutant -> killedMutant.mutant().section().isEmpty())
                .toList();
        var text = new StringBuilder("\n").append(links(killedMutants)).append('\n');
        var algorithm = "";
        for (KilledMutant killedMutant : killedMutants) {
            if (!killedMutant.mutant().algorithm().equals(algorithm)) {
                algorithm = killedMutant.mutant().algorithm();
                text.append("\n## ").append(algorithm).append('\n');
            }
            text.append(of(killedMutant));
        }
        return text.append('\n').toString();
    }

    private static String links(List<KilledMutant> killedMutants) {
        return killedMutants.stream()
                .map(killedMutant -> killedMutant.mutant().algorithm())
                .distinct()
                .map(name -> "[" + name + "](mutants.md#" + name + ")")
                .collect(Collectors.joining(" ·\n"));
    }

    private static String of(KilledMutant killedMutant) {
        var mutant = killedMutant.mutant();
        return """

                ### %s

                %s

                %s
                Breaks **%s**. %s.

                %s""".formatted(
                        mutant.name(),
                        mutant.rationale(),
                        diff(mutant),
                        mutant.breaks(),
                        killedMutant.summary(),
                        run(killedMutant));
    }

    private static String diff(Mutant mutant) {
        var text = new StringBuilder("```diff\n");
        for (SourceChange change : mutant.changes()) {
            var file = mutant.sourceFile(change);
            text.append("@@ %s, line %d @@\n"
                    .formatted(file.substring(file.lastIndexOf('/') + 1), mutant.lineNumber(change)));
            change.originalCode()
                    .lines()
                    .forEach(line -> text.append('-').append(line).append('\n'));
            change.mutatedCode()
                    .lines()
                    .forEach(line -> text.append('+').append(line).append('\n'));
        }
        return text.append("```\n").toString();
    }

    private static String run(KilledMutant killedMutant) {
        return killedMutant.killingRun().steps() > MAX_DRAWN_STEPS
                ? "`./habemus mutants " + killedMutant.mutant() + "` shows it.\n"
                : details(killedMutant);
    }

    private static String details(KilledMutant killedMutant) {
        return "<details><summary>The run</summary>\n\n```\n" + killedMutant.diagram(false) + "```\n\n</details>\n";
    }
}
