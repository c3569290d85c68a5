package habemus.bench;

import habemus.lab.bench.MarkedPage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where a table goes: to standard output, and between the marks of its command in a file, if one was named. */
public record Page(Optional<Path> file, String command) {

    /** @throws IllegalArgumentException if there is no place for it: before anything is measured */
    public static Page open(Optional<Path> file, String command) throws IOException {
        var page = new Page(file, command);
        if (file.isPresent()) {
            page.marked(file.get());
        }
        return page;
    }

    public void print(String table) throws IOException {
        new PrintStream(System.out, true, StandardCharsets.UTF_8).print(table);
        if (file.isPresent()) {
            Files.writeString(file.get(), marked(file.get()).with(table));
        }
    }

    private MarkedPage marked(Path place) throws IOException {
        return MarkedPage.of(Files.readString(place), command)
                .orElseThrow(() -> new IllegalArgumentException(
                        place + " has no place for the table: put " + MarkedPage.marks(command) + " there"));
    }
}
