package habemus.bench;

import habemus.lab.bench.MarkedPage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/** {@code bench/run}: measures the checker beside TLC, prints the table, and puts it into a page if asked to. */
final class Main {

    private static final String COMMAND = "bench/run";
    private static final String USAGE = "usage: bench/run [--rounds N] [--write FILE]";

    private Main() {}

    public static void main(String... args) throws IOException {
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        int rounds = 10;
        Optional<Path> file = Optional.empty();
        var words = new ArrayDeque<>(List.of(args));
        while (!words.isEmpty()) {
            var option = words.poll();
            var value = words.poll();
            if (option.equals("--rounds") && value != null && value.matches("[1-9]\\d{0,3}")) {
                rounds = Integer.parseInt(value);
            } else if (option.equals("--write") && value != null) {
                file = Optional.of(Path.of(value));
            } else {
                System.err.println(USAGE);
                System.exit(2);
            }
        }
        if (file.isPresent()) {
            page(file.get()); // complains before anything is run
        }
        var table = Comparison.run(rounds, (what, done, all) -> System.err.println(what + " ..."))
                .table();
        out.print(table);
        if (file.isPresent()) {
            Files.writeString(file.get(), page(file.get()).with(table));
        }
    }

    private static MarkedPage page(Path file) throws IOException {
        return MarkedPage.of(Files.readString(file), COMMAND)
                .orElseThrow(() -> new IllegalArgumentException(
                        file + " has no place for the table: put " + MarkedPage.marks(COMMAND) + " there"));
    }
}
