package habemus.service.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.service.server.Principal.Permission;
import habemus.service.server.Principal.Rule;
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
public final class AccessPolicy {

    private static final Logger LOG = LoggerFactory.getLogger(AccessPolicy.class);
    private static final String TOKEN = "sha256:";
    private static final String CERTIFICATE = "certificate";
    private static final String ANONYMOUS = "anybody";
    private static final int HASH_CHARACTERS = 64; // characters

    private static final long RELOAD_INTERVAL_NANOS =
            Duration.ofSeconds(1).toNanos(); // how often the file is looked at, at most

    private final Optional<Path> file;
    private final LongSupplier nanos;
    private final LongAdder denied = new LongAdder();
    private final AtomicLong lastCheckedNanos;
    private volatile Optional<FileStamp> loadedStamp; // the file as it was then
    private volatile Principals principals;

    /** All who are known, by what proves it; nothing of it changes. */
    private record Principals(
            int version,
            Map<String, Principal> tokens,
            Map<String, Principal> certificates,
            Optional<Principal> anonymous) {}

    /** By which it is seen that a file was changed, or another put in its place. */
    private record FileStamp(FileTime changed, long size, String key) {}

    private AccessPolicy(Optional<Path> file, LongSupplier nanos, Principals principals) {
        this.file = file;
        this.nanos = nanos;
        this.principals = principals;
        lastCheckedNanos = new AtomicLong(nanos.getAsLong());
        loadedStamp = file.flatMap(AccessPolicy::stampOf);
    }

    /** Everybody may do everything. */
    public static AccessPolicy allowAll() {
        var everybody = new Principals(0, Map.of(), Map.of(), Optional.of(Principal.ANONYMOUS));
        return new AccessPolicy(Optional.empty(), System::nanoTime, everybody);
    }

    /**
     * As the file says; when it is changed, as it says then.
     *
     * @throws IllegalArgumentException saying what is wrong with the file, and in which line
     */
    public static AccessPolicy of(Path file) {
        return of(file, System::nanoTime);
    }

    static AccessPolicy of(Path file, LongSupplier nanos) {
        try {
            var before = stampOf(file);
            var accessPolicy =
                    new AccessPolicy(Optional.of(file), nanos, parse(1, Files.readAllLines(file), file.toString()));
            accessPolicy.loadedStamp = before; // what was written meanwhile is read again
            return accessPolicy;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read who may do what: " + file, unreadable);
        }
    }

    static AccessPolicy of(List<String> lines, String name) {
        return new AccessPolicy(Optional.empty(), System::nanoTime, parse(1, lines, name));
    }

    private static Optional<FileStamp> stampOf(Path file) {
        try {
            var now = Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.of(new FileStamp(now.lastModifiedTime(), now.size(), String.valueOf(now.fileKey())));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /** Reads the file again if it was changed. With one that is wrong, or gone, everything stays as it is. */
    private Principals currentPrincipals() {
        long now = nanos.getAsLong();
        long last = lastCheckedNanos.get();
        if (file.isPresent() && now - last >= RELOAD_INTERVAL_NANOS && lastCheckedNanos.compareAndSet(last, now)) {
            var changed = stampOf(file.get());
            if (!changed.equals(loadedStamp)) {
                loadedStamp = changed;
                reload(file.get());
            }
        }
        return principals;
    }

    private void reload(Path changed) {
        try {
            principals = parse(principals.version + 1, Files.readAllLines(changed), changed.toString());
            LOG.info("{} was read again: it says who may do what from now on", changed);
        } catch (IOException | IllegalArgumentException wrong) {
            LOG.warn("{} CANNOT be read again, so it stays as it was: {}", changed, wrong.toString());
        }
    }

    /** Grows whenever others are known, or may do other things. */
    int version() {
        return currentPrincipals().version;
    }

    private static Principals parse(int edition, List<String> lines, String file) {
        var tokens = new HashMap<String, Principal>();
        var certificates = new HashMap<String, Principal>();
        var anybody = new HashMap<String, Principal>();
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                try {
                    var words = line.split("\\s+");
                    var proof = words[0];
                    addLine(
                            words,
                            proof.equals(CERTIFICATE) ? certificates : proof.equals(ANONYMOUS) ? anybody : tokens);
                } catch (IllegalArgumentException wrong) {
                    throw new IllegalArgumentException(file + ", line " + (i + 1) + ": " + wrong.getMessage(), wrong);
                }
            }
        }
        return new Principals(
                edition, tokens, certificates, anybody.values().stream().findFirst());
    }

    private static void addLine(String[] words, Map<String, Principal> all) {
        if (words.length < 3) {
            throw new IllegalArgumentException("a line says how it is proved, who it is, and what it may do, as in "
                    + "'certificate billing use,inspect:orders-*'");
        }
        var principal = new Principal(
                words[1],
                Arrays.stream(words).skip(2).map(AccessPolicy::parseRule).toList());
        if (all.put(key(words[0], principal), principal) != null) {
            throw new IllegalArgumentException("the same proof stands in a line before");
        }
    }

    private static String key(String proof, Principal principal) {
        if (proof.equals(CERTIFICATE)) {
            return principal.name();
        }
        if (proof.equals(ANONYMOUS) || proof.matches(TOKEN + "[0-9a-f]{" + HASH_CHARACTERS + "}")) {
            return proof;
        }
        throw new IllegalArgumentException(
                "'" + proof + "' proves nothing; a line begins with " + TOKEN + " and " + HASH_CHARACTERS
                        + " digits (printf %s TOKEN | sha256sum), with " + CERTIFICATE + " or with " + ANONYMOUS);
    }

    private static Rule parseRule(String word) {
        int colon = word.indexOf(':');
        if (colon < 0 || colon == word.length() - 1) {
            throw new IllegalArgumentException("'" + word + "' is no right; it looks like use,inspect:orders-*");
        }
        var permissions = new ArrayList<Permission>();
        for (String name : word.substring(0, colon).split(",", -1)) {
            permissions.add(Arrays.stream(Permission.values())
                    .filter(permission ->
                            permission.name().toLowerCase(Locale.ROOT).equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "'" + name + "' is no right; there are use, inspect and administer")));
        }
        var names = word.substring(colon + 1);
        return names.endsWith("*")
                ? new Rule(permissions, names.substring(0, names.length() - 1), false)
                : new Rule(permissions, names, true);
    }

    /** How a token stands in the file. */
    public static String hashToken(String token) {
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
    public Optional<Principal> authenticate(String token, Optional<String> certificate) {
        var now = currentPrincipals();
        if (!token.isEmpty() && !isUnrestricted()) {
            return Optional.ofNullable(now.tokens.get(hashToken(token))); // a wrong one is not forgiven
        }
        return certificate.map(now.certificates::get).or(() -> now.anonymous);
    }

    /** Whether nobody is asked who he is. */
    public boolean isUnrestricted() {
        return principals.version == 0;
    }

    /** Somebody was turned away, or wanted what he may not do. */
    public void reportDenied(String who, String from, String what) {
        denied.increment();
        LOG.warn("refused: {} at {}: {}", who, from, what);
    }

    /** How many attempts were refused. */
    public long deniedCount() {
        return denied.sum();
    }
}
