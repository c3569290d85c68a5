package habemus.cli.options;

import habemus.cli.terminal.CommandException;
import habemus.service.transport.TransportSecurity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** The TLS files of a node or a client: {@code --keystore}, {@code --truststore}, {@code --password-file}. */
public final class TlsFileOptions {

    public static final List<String> NAMES = List.of("--keystore", "--truststore", "--password-file");

    private TlsFileOptions() {}

    /** Empty if none of the three is given. */
    public static Optional<TransportSecurity.Certificates> certificates(ParseResult parsed) {
        var keystore = ParsedOptions.text(parsed, "--keystore");
        var truststore = ParsedOptions.text(parsed, "--truststore");
        var password = ParsedOptions.text(parsed, "--password-file");
        long given = Stream.of(keystore, truststore, password)
                .filter(Optional::isPresent)
                .count();
        if (given == 0) {
            return Optional.empty();
        }
        if (given < NAMES.size()) {
            throw CommandException.usage(
                    "TLS needs --keystore, --truststore and --password-file", "add the missing options");
        }
        return Optional.of(new TransportSecurity.Certificates(
                Path.of(keystore.orElseThrow()),
                Path.of(truststore.orElseThrow()),
                firstLine(password.orElseThrow(), "--password-file")));
    }

    /** The first line of a file that holds a secret. */
    public static String firstLine(String file, String option) {
        try (var lines = Files.lines(Path.of(file))) {
            return lines.findFirst()
                    .filter(line -> !line.isBlank())
                    .orElseThrow(() -> CommandException.usage(
                            option + " " + file + " has an empty first line", "write the secret on the first line"));
        } catch (IOException unreadable) {
            throw CommandException.failure(
                    "cannot read " + option + " " + file, "check that the file exists and is readable");
        }
    }
}
