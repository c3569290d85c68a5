package habemus.lab.source;

import java.util.stream.Stream;

/**
 * A place in a source file.
 *
 * @param line from 1 on
 * @param column from 1 on
 */
record SourceLine(String file, String text, long line, long column) {

    String location() {
        return file + ":" + line;
    }

    /** The line, and below it a mark at the column. */
    Stream<String> quote() {
        return text.lines()
                .skip(line - 1)
                .limit(1)
                .flatMap(content -> Stream.of(
                        "    " + content.replace('\t', ' '), " ".repeat((int) (3 + Math.max(1, column))) + "^"));
    }
}
