package habemus.cli;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A command in a page with lines of its output. A line with three dots stands for lines that the page leaves out. The
 * width of columns does not count.
 */
record CommandExcerpt(String command, String lines) {

    private static final Pattern BLOCK = Pattern.compile("(?s)```\n\\$ (\\./habemus [^\n]*)\n(.*?)```");
    private static final String OMISSION = "…\n";

    static List<CommandExcerpt> of(String page) {
        return BLOCK.matcher(page)
                .results()
                .map(block -> new CommandExcerpt(block.group(1), block.group(2)))
                .toList();
    }

    /** The parts between omissions, in order. */
    String[] parts() {
        return withoutWidths(lines).split(OMISSION);
    }

    static String withoutWidths(String text) {
        return text.replaceAll("(?<=\\S) {2,}", "  ");
    }

    boolean isPrintedIn(String output) {
        int end = 0;
        for (var part : parts()) {
            int start = withoutWidths(output).indexOf(part, end);
            if (start < 0) {
                return false;
            }
            end = start + part.length();
        }
        return true;
    }

    /** A page with the lines of a new output, in place of these. A line is recognized by its first column. */
    String renewedIn(String page, String output) {
        if (isPrintedIn(output)) {
            return page;
        }
        var newLines = output.lines().iterator();
        var renewed = lines.lines()
                .map(line -> {
                    while (!line.startsWith("…") && newLines.hasNext()) {
                        var next = newLines.next();
                        if (firstColumn(next).equals(firstColumn(line))) {
                            return next;
                        }
                    }
                    return line;
                })
                .collect(Collectors.joining("\n", "", "\n"));
        return page.replace(command + "\n" + lines, command + "\n" + renewed);
    }

    private static String firstColumn(String line) {
        return Arrays.asList(line.strip().split(" {2,}")).getFirst();
    }
}
