package habemus.cli;

import habemus.service.net.Secrecy;
import habemus.service.session.Tls;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.ParseResult;

/** What is shown to a node, so that it knows who asks, and how to know that it is one. */
record Credentials(Optional<String> token, Optional<SSLContext> tls) {

    static final Credentials NONE = new Credentials(Optional.empty(), Optional.empty());

    private static final String VARIABLE = "HABEMUS_TOKEN";

    static Sheet add(Sheet sheet, String section) {
        return sheet.value(section, "--token-file", "FILE", "whose first line shows who asks (else: $" + VARIABLE + ")")
                .value(
                        section,
                        "--trusted",
                        "FILE",
                        "for TLS: a PKCS12 file with the nodes' certificates, or issuer's,")
                .value(section, "--keys", "FILE", "one with a key and certificate, if that shows who asks,")
                .value(section, "--password-file", "FILE", "and one with the password of both");
    }

    static Credentials of(ParseResult parsed) {
        var token = Output.text(parsed, "--token-file")
                .map(file -> ServeOptions.firstLine(file, "--token-file"))
                .or(() -> Optional.ofNullable(System.getenv(VARIABLE)));
        return new Credentials(token, certificates(parsed).map(Credentials::context));
    }

    /** Who only has to know the nodes needs no key: then there is none in the one file. */
    private static Optional<Secrecy.Certificates> certificates(ParseResult parsed) {
        var trusted = Output.text(parsed, "--trusted");
        var password = Output.text(parsed, "--password-file");
        return parsed.hasMatchedOption("--keys") || trusted.isEmpty() || password.isEmpty()
                ? ServeOptions.certificates(parsed)
                : Optional.of(new Secrecy.Certificates(
                        Path.of(trusted.get()),
                        Path.of(trusted.get()),
                        ServeOptions.firstLine(password.get(), "--password-file")));
    }

    private static SSLContext context(Secrecy.Certificates files) {
        try {
            return Tls.of(files);
        } catch (IllegalArgumentException wrong) {
            throw Refusal.wrong(String.valueOf(wrong.getMessage()), "is the password right?");
        }
    }

    String scheme() {
        return tls.isPresent() ? "https://" : "http://";
    }

    HttpClient.Builder with(HttpClient.Builder builder) {
        tls.ifPresent(builder::sslContext);
        return builder;
    }

    HttpRequest.Builder with(HttpRequest.Builder builder) {
        token.ifPresent(word -> builder.header("Authorization", "Bearer " + word));
        return builder;
    }
}
