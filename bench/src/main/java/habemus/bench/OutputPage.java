package habemus.bench;

import habemus.lab.benchmark.MarkdownSection;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Prints a table to standard output, and writes it into the command's section of a file if one is given. */
public record OutputPage(Optional<Path> file, String command) {

    /** Checks the file before anything is measured. @throws IllegalArgumentException if it has no such section */
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

    private MarkdownSection section(Path path) throws IOException {
        return MarkdownSection.find(Files.readString(path), command)
                .orElseThrow(() -> new IllegalArgumentException(
                        path + " has no section for the table\nhint: add " + MarkdownSection.markers(command)));
    }
}
