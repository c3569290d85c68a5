package habemus.lab.mutation;

import java.util.List;
import java.util.stream.Collectors;

/** Formats all killed mutants as a section of a Markdown page. */
public final class MutantPage {

    /** The command whose markers enclose the section. */
    public static final String COMMAND = "habemus mutants";

    /** Longer runs are not drawn. */
    private static final int MAX_DRAWN_STEPS = 12;

    private MutantPage() {}

    public static String of(List<KilledMutant> killedMutants) {
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
            change.originalCode().lines().forEach(line -> text.append('-').append(line).append('\n'));
            change.mutatedCode().lines().forEach(line -> text.append('+').append(line).append('\n'));
        }
        return text.append("```\n").toString();
    }

    private static String run(KilledMutant killedMutant) {
        return killedMutant.killingRun().steps() > MAX_DRAWN_STEPS
                ? "`./habemus mutants " + killedMutant.mutant() + "` shows it.\n"
                : "<details><summary>The run</summary>\n\n```\n" + killedMutant.diagram(false) + "```\n\n</details>\n";
    }
}
