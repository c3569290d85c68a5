package habemus.lab.mutation;

import java.util.List;
import java.util.stream.Collectors;

/** All mutants as a page of Markdown. */
public final class MutantPage {

    /** The command whose marks it stands between. */
    public static final String COMMAND = "habemus museum";

    /** Longer runs are not drawn. */
    private static final int MAX_DRAWN_STEPS = 12;

    private MutantPage() {}

    public static String of(List<KilledMutant> killedMutants) {
        var text = new StringBuilder("\n").append(links(killedMutants)).append('\n');
        var algorithm = "";
        for (KilledMutant one : killedMutants) {
            if (!one.mutant().algorithm().equals(algorithm)) {
                algorithm = one.mutant().algorithm();
                text.append("\n## ").append(algorithm).append('\n');
            }
            text.append(of(one));
        }
        return text.append('\n').toString();
    }

    private static String links(List<KilledMutant> killedMutants) {
        return killedMutants.stream()
                .map(one -> one.mutant().algorithm())
                .distinct()
                .map(name -> "[" + name + "](museum.md#" + name + ")")
                .collect(Collectors.joining(" ·\n"));
    }

    private static String of(KilledMutant one) {
        var mutant = one.mutant();
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
                        one.summary(),
                        run(one));
    }

    private static String run(KilledMutant one) {
        return one.killingRun().steps() > MAX_DRAWN_STEPS
                ? "`./habemus museum " + one.mutant() + "` shows it.\n"
                : "<details><summary>The run</summary>\n\n```\n" + one.diagram(false) + "```\n\n</details>\n";
    }
}
