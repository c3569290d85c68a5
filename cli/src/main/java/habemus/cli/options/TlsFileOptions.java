package habemus.cli.options;

import habemus.lab.command.CommandException;
import habemus.service.transport.TransportSecurity;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/**
 * The TLS files of a node or a client: {@code --keystore}, {@code --truststore}, {@code --password-file}. Nodes may
 * have others for each other: {@code --peer-keystore}, {@code --peer-truststore}.
 */
public final class TlsFileOptions {

    public static final List<String> NAMES =
            List.of("--keystore", "--truststore", "--password-file", "--peer-keystore", "--peer-truststore");

    private TlsFileOptions() {}

    /** The files for clients. Empty if none is given. */
    public static Optional<TransportSecurity.Certificates> certificates(ParseResult parsed) {
        var keystore = ParsedOptions.text(parsed, "--keystore");
        var truststore = ParsedOptions.text(parsed, "--truststore");
        if (keystore.isEmpty() && truststore.isEmpty() && hasPeerFiles(parsed)) {
            return Optional.empty();
        }
        return certificates(
                keystore,
                truststore,
                ParsedOptions.text(parsed, "--password-file"),
                "TLS needs --keystore, --truststore and --password-file");
    }

    private static boolean hasPeerFiles(ParseResult parsed) {
        return parsed.hasMatchedOption("--peer-keystore") || parsed.hasMatchedOption("--peer-truststore");
    }

    /** The files for peers: where one is not given, that for clients. Empty if none is given. */
    public static Optional<TransportSecurity.Certificates> peerCertificates(ParseResult parsed) {
        return hasPeerFiles(parsed)
                ? certificates(
                        ParsedOptions.text(parsed, "--peer-keystore")
                                .or(() -> ParsedOptions.text(parsed, "--keystore")),
                        ParsedOptions.text(parsed, "--peer-truststore")
                                .or(() -> ParsedOptions.text(parsed, "--truststore")),
                        ParsedOptions.text(parsed, "--password-file"),
                        "TLS between nodes needs --peer-keystore, --peer-truststore and --password-file")
                : certificates(parsed);
    }

    private static Optional<TransportSecurity.Certificates> certificates(
            Optional<String> keystore, Optional<String> truststore, Optional<String> password, String rule) {
        if (keystore.isEmpty() && truststore.isEmpty() && password.isEmpty()) {
            return Optional.empty();
        }
        if (keystore.isEmpty() || truststore.isEmpty() || password.isEmpty()) {
            throw CommandException.usage(rule, "add the missing options");
        }
        return Optional.of(new TransportSecurity.Certificates(
                Path.of(keystore.get()),
                Path.of(truststore.get()),
                SecretFile.read(password.get(), "--password-file")));
    }
}
