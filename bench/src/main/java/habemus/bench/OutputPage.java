package habemus.bench;

import habemus.lab.benchmark.MarkdownSection;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where a table goes: to standard output, and between the marks of its command in a file, if one was named. */
public record OutputPage(Optional<Path> file, String command) {

    /** @throws IllegalArgumentException if there is no place for it: before anything is measured */
    public static OutputPage open(Optional<Path> file, String command) throws IOException {
        var outputPage = new OutputPage(file, command);
        if (file.isPresent()) {
            outputPage.section(file.get());
        }
        return outputPage;
    }

    public void print(String table) throws IOException {
        new PrintStream(System.out, true, StandardCharsets.UTF_8).print(table);
        if (file.isPresent()) {
            Files.writeString(file.get(), section(file.get()).replaceWith(table));
        }
    }

    private MarkdownSection section(Path place) throws IOException {
        return MarkdownSection.find(Files.readString(place), command)
                .orElseThrow(() -> new IllegalArgumentException(
                        place + " has no place for the table: put " + MarkdownSection.markers(command) + " there"));
    }
}
