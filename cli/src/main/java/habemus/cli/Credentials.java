package habemus.cli;

import habemus.service.net.Secrecy;
import habemus.service.session.Tls;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.ParseResult;

/** What is shown to a node, so that it knows who asks, and how to know that it is one. */
record Credentials(Optional<String> token, Optional<SSLContext> tls) {

    static final Credentials NONE = new Credentials(Optional.empty(), Optional.empty());

    private static final String VARIABLE = "HABEMUS_TOKEN";

    static Sheet add(Sheet sheet, String section) {
        return sheet.value(section, "--token-file", "FILE", "whose first line shows who asks (else: $" + VARIABLE + ")")
                .value(section, "--keys", "FILE", "for TLS: a PKCS12 file with a key and certificate,")
                .value(section, "--trusted", "FILE", "one with the certificates of all nodes, or of their issuer,")
                .value(section, "--password-file", "FILE", "and one with the password of both");
    }

    static Credentials of(ParseResult parsed) {
        var token = Output.text(parsed, "--token-file")
                .map(file -> ServeOptions.firstLine(file, "--token-file"))
                .or(() -> Optional.ofNullable(System.getenv(VARIABLE)));
        return new Credentials(token, ServeOptions.certificates(parsed).map(Credentials::context));
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
