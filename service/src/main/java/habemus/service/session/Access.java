package habemus.service.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.service.session.Visitor.Right;
import habemus.service.session.Visitor.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
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

    private static final long OFTEN = Duration.ofSeconds(1).toNanos(); // how often the file is looked at, at most

    private final Optional<Path> file;
    private final LongSupplier nanos;
    private final LongAdder refused = new LongAdder();
    private final AtomicLong looked;
    private volatile Optional<Stamp> read; // the file as it was then
    private volatile Known known;

    /** All who are known, by what proves it; nothing of it changes. */
    private record Known(
            int edition, Map<String, Visitor> tokens, Map<String, Visitor> certificates, Optional<Visitor> anybody) {}

    /** By which it is seen that a file was changed, or another put in its place. */
    private record Stamp(FileTime changed, long size, String key) {}

    private Access(Optional<Path> file, LongSupplier nanos, Known known) {
        this.file = file;
        this.nanos = nanos;
        this.known = known;
        looked = new AtomicLong(nanos.getAsLong());
        read = file.flatMap(Access::changed);
    }

    /** Everybody may do everything. */
    public static Access open() {
        var everybody = new Known(0, Map.of(), Map.of(), Optional.of(Visitor.ANYBODY));
        return new Access(Optional.empty(), System::nanoTime, everybody);
    }

    /**
     * As the file says; when it is changed, as it says then.
     *
     * @throws IllegalArgumentException saying what is wrong with the file, and in which line
     */
    public static Access of(Path file) {
        return of(file, System::nanoTime);
    }

    static Access of(Path file, LongSupplier nanos) {
        try {
            var before = changed(file);
            var access = new Access(Optional.of(file), nanos, parse(1, Files.readAllLines(file), file.toString()));
            access.read = before; // what was written meanwhile is read again
            return access;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read who may do what: " + file, unreadable);
        }
    }

    static Access of(List<String> lines, String name) {
        return new Access(Optional.empty(), System::nanoTime, parse(1, lines, name));
    }

    private static Optional<Stamp> changed(Path file) {
        try {
            var now = Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.of(new Stamp(now.lastModifiedTime(), now.size(), String.valueOf(now.fileKey())));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /** Reads the file again if it was changed. With one that is wrong, or gone, everything stays as it is. */
    private Known known() {
        long now = nanos.getAsLong();
        long last = looked.get();
        if (file.isPresent() && now - last >= OFTEN && looked.compareAndSet(last, now)) {
            var changed = changed(file.get());
            if (!changed.equals(read)) {
                read = changed;
                readAgain(file.get());
            }
        }
        return known;
    }

    private void readAgain(Path changed) {
        try {
            known = parse(known.edition + 1, Files.readAllLines(changed), changed.toString());
            LOG.info("{} was read again: it says who may do what from now on", changed);
        } catch (IOException | IllegalArgumentException wrong) {
            LOG.warn("{} CANNOT be read again, so it stays as it was: {}", changed, wrong.toString());
        }
    }

    /** Grows whenever others are known, or may do other things. */
    int edition() {
        return known().edition;
    }

    private static Known parse(int edition, List<String> lines, String file) {
        var tokens = new HashMap<String, Visitor>();
        var certificates = new HashMap<String, Visitor>();
        var anybody = new HashMap<String, Visitor>();
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                try {
                    var words = line.split("\\s+");
                    var proof = words[0];
                    add(words, proof.equals(CERTIFICATE) ? certificates : proof.equals(ANYBODY) ? anybody : tokens);
                } catch (IllegalArgumentException wrong) {
                    throw new IllegalArgumentException(file + ", line " + (i + 1) + ": " + wrong.getMessage(), wrong);
                }
            }
        }
        return new Known(
                edition, tokens, certificates, anybody.values().stream().findFirst());
    }

    private static void add(String[] words, Map<String, Visitor> all) {
        if (words.length < 3) {
            throw new IllegalArgumentException("a line says how it is proved, who it is, and what it may do, as in "
                    + "'certificate billing use,inspect:orders-*'");
        }
        var visitor = new Visitor(
                words[1], Arrays.stream(words).skip(2).map(Access::rule).toList());
        if (all.put(key(words[0], visitor), visitor) != null) {
            throw new IllegalArgumentException("the same proof stands in a line before");
        }
    }

    private static String key(String proof, Visitor visitor) {
        if (proof.equals(CERTIFICATE)) {
            return visitor.name();
        }
        if (proof.equals(ANYBODY) || proof.matches(TOKEN + "[0-9a-f]{" + HASH + "}")) {
            return proof;
        }
        throw new IllegalArgumentException("'" + proof + "' proves nothing; a line begins with " + TOKEN + " and "
                + HASH + " digits (printf %s TOKEN | sha256sum), with " + CERTIFICATE + " or with " + ANYBODY);
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
        var now = known();
        if (!token.isEmpty() && !isOpen()) {
            return Optional.ofNullable(now.tokens.get(proof(token))); // a wrong one is not forgiven
        }
        return certificate.map(now.certificates::get).or(() -> now.anybody);
    }

    /** Whether nobody is asked who he is. */
    public boolean isOpen() {
        return known.edition == 0;
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
