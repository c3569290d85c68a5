package habemus.lab.museum;

import java.util.List;
import java.util.stream.Collectors;

/** All mutants as a page of Markdown. */
public final class Page {

    /** The command whose marks it stands between. */
    public static final String COMMAND = "habemus museum";

    /** Longer runs are not drawn. */
    private static final int DRAWN = 12;

    private Page() {}

    public static String of(List<Exhibit> exhibits) {
        var text = new StringBuilder("\n").append(links(exhibits)).append('\n');
        var algorithm = "";
        for (Exhibit one : exhibits) {
            if (!one.mutant().algorithm().equals(algorithm)) {
                algorithm = one.mutant().algorithm();
                text.append("\n## ").append(algorithm).append('\n');
            }
            text.append(of(one));
        }
        return text.append('\n').toString();
    }

    private static String links(List<Exhibit> exhibits) {
        return exhibits.stream()
                .map(one -> one.mutant().algorithm())
                .distinct()
                .map(name -> "[" + name + "](museum.md#" + name + ")")
                .collect(Collectors.joining(" ·\n"));
    }

    private static String of(Exhibit one) {
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
                        mutant.temptation(),
                        mutant.file().substring(mutant.file().lastIndexOf('/') + 1),
                        mutant.number(),
                        mutant.line(),
                        mutant.instead(),
                        mutant.breaks(),
                        one.summary(),
                        run(one));
    }

    private static String run(Exhibit one) {
        return one.kill().steps() > DRAWN
                ? "`./habemus museum " + one.mutant() + "` shows it.\n"
                : "<details><summary>The run</summary>\n\n```\n" + one.diagram(false) + "```\n\n</details>\n";
    }
}
