package habemus.cli.admin;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.serve.ServeOptions;
import habemus.cli.terminal.CommandException;
import habemus.service.server.TlsContexts;
import habemus.service.transport.TransportSecurity;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.ParseResult;

/** What is shown to a node, so that it knows who asks, and how to know that it is one. */
record Credentials(Optional<String> token, Optional<SSLContext> tls) {

    static final Credentials NONE = new Credentials(Optional.empty(), Optional.empty());

    private static final String TOKEN_VARIABLE = "HABEMUS_TOKEN";

    static CommandSyntax addOptions(CommandSyntax commandSyntax, String section) {
        return commandSyntax
                .value(
                        section,
                        "--token-file",
                        "FILE",
                        "whose first line shows who asks (else: $" + TOKEN_VARIABLE + ")")
                .value(
                        section,
                        "--trusted",
                        "FILE",
                        "for TLS: a PKCS12 file with the nodes' certificates, or issuer's,")
                .value(section, "--keys", "FILE", "one with a key and certificate, if that shows who asks,")
                .value(section, "--password-file", "FILE", "and one with the password of both");
    }

    static Credentials of(ParseResult parsed) {
        var token = OutputOptions.text(parsed, "--token-file")
                .map(file -> ServeOptions.firstLine(file, "--token-file"))
                .or(() -> Optional.ofNullable(System.getenv(TOKEN_VARIABLE)));
        return new Credentials(token, certificates(parsed).map(Credentials::context));
    }

    /** Who only has to know the nodes needs no key: then there is none in the one file. */
    private static Optional<TransportSecurity.Certificates> certificates(ParseResult parsed) {
        var trusted = OutputOptions.text(parsed, "--trusted");
        var password = OutputOptions.text(parsed, "--password-file");
        return parsed.hasMatchedOption("--keys") || trusted.isEmpty() || password.isEmpty()
                ? ServeOptions.certificates(parsed)
                : Optional.of(new TransportSecurity.Certificates(
                        Path.of(trusted.get()),
                        Path.of(trusted.get()),
                        ServeOptions.firstLine(password.get(), "--password-file")));
    }

    private static SSLContext context(TransportSecurity.Certificates files) {
        try {
            return TlsContexts.of(files);
        } catch (IllegalArgumentException wrong) {
            throw CommandException.usage(String.valueOf(wrong.getMessage()), "is the password right?");
        }
    }

    String scheme() {
        return tls.isPresent() ? "https://" : "http://";
    }

    HttpClient.Builder applyTo(HttpClient.Builder builder) {
        tls.ifPresent(builder::sslContext);
        return builder;
    }

    HttpRequest.Builder applyTo(HttpRequest.Builder builder) {
        token.ifPresent(word -> builder.header("Authorization", "Bearer " + word));
        return builder;
    }
}
