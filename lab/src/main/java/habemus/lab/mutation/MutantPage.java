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

                ```diff
                @@ %s, line %d @@
                -%s
                +%s
                ```

                Breaks **%s**. %s.

                %s""".formatted(
                        mutant.name(),
                        mutant.rationale(),
                        mutant.sourceFile().substring(mutant.sourceFile().lastIndexOf('/') + 1),
                        mutant.lineNumber(),
                        mutant.originalLine(),
                        mutant.mutatedLine(),
                        mutant.breaks(),
                        killedMutant.summary(),
                        run(killedMutant));
    }

    private static String run(KilledMutant killedMutant) {
        return killedMutant.killingRun().steps() > MAX_DRAWN_STEPS
                ? "`./habemus mutants " + killedMutant.mutant() + "` shows it.\n"
                : "<details><summary>The run</summary>\n\n```\n" + killedMutant.diagram(false) + "```\n\n</details>\n";
    }
}
