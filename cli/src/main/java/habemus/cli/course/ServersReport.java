package habemus.cli.course;

import com.google.gson.JsonObject;
import habemus.lab.diagram.svg.Chart;
import habemus.lab.table.TextTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an experiment with servers found.
 *
 * @param parts tables and paragraphs, in order
 * @param charts by the suffix of their file name; the first one has none
 */
record ServersReport(List<Part> parts, JsonObject json, Map<String, Chart> charts) {

    /** A table, or a paragraph of text. */
    sealed interface Part {
        record Table(TextTable table) implements Part {}

        record Paragraph(String text) implements Part {}
    }

    ServersReport {
        parts = List.copyOf(parts);
        charts = new LinkedHashMap<>(charts);
    }

    static Part table(TextTable table) {
        return new Part.Table(table);
    }

    static Part paragraph(String... sentences) {
        return new Part.Paragraph(Stream.of(sentences).collect(Collectors.joining(" ")));
    }

    String text() {
        return parts.stream()
                .map(part -> switch (part) {
                    case Part.Table(var table) -> table.text();
                    case Part.Paragraph(var text) -> text + "\n";
                })
                .collect(Collectors.joining("\n"));
    }

    String markdown() {
        return parts.stream()
                .map(part -> switch (part) {
                    case Part.Table(var table) -> table.markdown();
                    case Part.Paragraph(var text) -> text + "\n";
                })
                .collect(Collectors.joining("\n", "\n", ""));
    }
}
