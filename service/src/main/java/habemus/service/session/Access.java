package habemus.service.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.service.session.Visitor.Right;
import habemus.service.session.Visitor.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may do what: a file with a line for everybody who is known.
 *
 * <pre>
 *   # how it is proved     who        what, and with which names
 *   sha256:9f86d081884…    billing    use,inspect:orders-*  use:invoices
 *   certificate            ops        use,inspect,administer:*
 *   anybody                guest      inspect:*
 * </pre>
 *
 * A token is proved by its hash, so the file gives nothing away: tokens are long and random, not words. A certificate
 * is proved by TLS, and its common name is the name here. The line {@code anybody} is for those who show nothing. A
 * star ends a beginning of names; without one a single name is meant.
 */
public final class Access {

    private static final Logger LOG = LoggerFactory.getLogger(Access.class);
    private static final String TOKEN = "sha256:";
    private static final String CERTIFICATE = "certificate";
    private static final String ANYBODY = "anybody";
    private static final int HASH = 64; // characters

    private final Map<String, Visitor> tokens = new HashMap<>(); // by their hash
    private final Map<String, Visitor> certificates = new HashMap<>();
    private final LongAdder refused = new LongAdder();
    private Optional<Visitor> anybody = Optional.empty();
    private final boolean open;

    private Access(boolean open) {
        this.open = open;
        anybody = open ? Optional.of(Visitor.ANYBODY) : anybody;
    }

    /** Everybody may do everything. */
    public static Access open() {
        return new Access(true);
    }

    /** @throws IllegalArgumentException saying what is wrong with the file, and in which line */
    public static Access of(Path file) {
        try {
            return of(Files.readAllLines(file), file.toString());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read who may do what: " + file, unreadable);
        }
    }

    static Access of(List<String> lines, String file) {
        var access = new Access(false);
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                try {
                    access.add(line.split("\\s+"));
                } catch (IllegalArgumentException wrong) {
                    throw new IllegalArgumentException(file + ", line " + (i + 1) + ": " + wrong.getMessage(), wrong);
                }
            }
        }
        return access;
    }

    private void add(String[] words) {
        if (words.length < 3) {
            throw new IllegalArgumentException("a line says how it is proved, who it is, and what it may do, as in "
                    + "'certificate billing use,inspect:orders-*'");
        }
        var visitor = new Visitor(
                words[1], Arrays.stream(words).skip(2).map(Access::rule).toList());
        var proof = words[0];
        boolean twice;
        if (proof.equals(ANYBODY)) {
            twice = anybody.isPresent();
            anybody = Optional.of(visitor);
        } else if (proof.equals(CERTIFICATE)) {
            twice = certificates.put(visitor.name(), visitor) != null;
        } else if (proof.startsWith(TOKEN) && proof.substring(TOKEN.length()).matches("[0-9a-f]{" + HASH + "}")) {
            twice = tokens.put(proof, visitor) != null;
        } else {
            throw new IllegalArgumentException("'" + proof + "' proves nothing; a line begins with " + TOKEN
                    + " and " + HASH + " digits (printf %s TOKEN | sha256sum), with " + CERTIFICATE + " or with "
                    + ANYBODY);
        }
        if (twice) {
            throw new IllegalArgumentException("the same proof stands in a line before");
        }
    }

    private static Rule rule(String word) {
        int colon = word.indexOf(':');
        if (colon < 0 || colon == word.length() - 1) {
            throw new IllegalArgumentException("'" + word + "' is no right; it looks like use,inspect:orders-*");
        }
        var rights = new ArrayList<Right>();
        for (String name : word.substring(0, colon).split(",", -1)) {
            rights.add(Arrays.stream(Right.values())
                    .filter(right -> right.name().toLowerCase(Locale.ROOT).equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "'" + name + "' is no right; there are use, inspect and administer")));
        }
        var names = word.substring(colon + 1);
        return names.endsWith("*")
                ? new Rule(rights, names.substring(0, names.length() - 1), false)
                : new Rule(rights, names, true);
    }

    /** How a token stands in the file. */
    public static String proof(String token) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
            return TOKEN + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never); // every Java has it
        }
    }

    /**
     * Who that is, if he is known.
     *
     * @param token that was shown, or nothing
     * @param certificate the common name of the certificate that was shown, if one was
     */
    public Optional<Visitor> who(String token, Optional<String> certificate) {
        if (open) {
            return anybody;
        }
        if (!token.isEmpty()) {
            return Optional.ofNullable(tokens.get(proof(token))); // a wrong one is not forgiven
        }
        return certificate.map(certificates::get).or(() -> anybody);
    }

    public boolean isOpen() {
        return open;
    }

    /** Somebody was turned away, or wanted what he may not do. */
    public void refuse(String who, String from, String what) {
        refused.increment();
        LOG.warn("refused: {} at {}: {}", who, from, what);
    }

    /** How many attempts were refused. */
    public long refused() {
        return refused.sum();
    }
}
