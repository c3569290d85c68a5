package habemus.cli.admin;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.SecretFile;
import habemus.cli.options.TlsFileOptions;
import habemus.lab.command.CommandException;
import habemus.service.transport.TlsContexts;
import habemus.service.transport.TransportSecurity;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.ParseResult;

/** The client's token, and the TLS context that authenticates the nodes and, with a key, the client. */
public record Credentials(Optional<String> token, Optional<SSLContext> tls) {

    public static final String TOKEN_VARIABLE = "HABEMUS_TOKEN";

    static CommandSyntax addOptions(CommandSyntax syntax, String section) {
        return syntax.value(
                        section,
                        "--token-file",
                        "FILE",
                        "client token in the first line (default: $" + TOKEN_VARIABLE + ")")
                .value(
                        section,
                        "--truststore",
                        "FILE",
                        "TLS: PKCS12 file with the certificates of the nodes, or of their issuer")
                .value(
                        section,
                        "--keystore",
                        "FILE",
                        "TLS: PKCS12 file with the key of the client, if it authenticates by certificate")
                .value(section, "--password-file", "FILE", "TLS: password of both files, in the first line");
    }

    static Credentials of(ParseResult parsed) {
        var token = ParsedOptions.text(parsed, "--token-file")
                .map(file -> SecretFile.read(file, "--token-file"))
                .or(() -> Optional.ofNullable(System.getenv(TOKEN_VARIABLE)));
        return new Credentials(token, certificates(parsed).map(Credentials::context));
    }

    /** A client without a key uses the truststore alone. */
    private static Optional<TransportSecurity.Certificates> certificates(ParseResult parsed) {
        var truststore = ParsedOptions.text(parsed, "--truststore");
        var password = ParsedOptions.text(parsed, "--password-file");
        return parsed.hasMatchedOption("--keystore") || truststore.isEmpty() || password.isEmpty()
                ? TlsFileOptions.certificates(parsed)
                : Optional.of(new TransportSecurity.Certificates(
                        Path.of(truststore.get()),
                        Path.of(truststore.get()),
                        SecretFile.read(password.get(), "--password-file")));
    }

    private static SSLContext context(TransportSecurity.Certificates files) {
        try {
            return TlsContexts.of(files);
        } catch (IllegalArgumentException wrong) {
            throw CommandException.withHint(wrong, "check the files of --keystore, --truststore and --password-file");
        }
    }
}
