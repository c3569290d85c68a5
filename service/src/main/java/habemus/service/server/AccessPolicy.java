package habemus.service.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.service.server.Principal.Permission;
import habemus.service.server.Principal.Rule;
import habemus.service.storage.FileFailure;
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
 * The permissions of clients, read from a file with one line per principal.
 *
 * <pre>
 *   # credential           principal  permissions : resource names
 *   sha256:9f86d081884…    billing    use,inspect:orders-*  use:invoices
 *   certificate            ops        use,inspect,administer:*
 *   anonymous              guest      inspect:*
 * </pre>
 *
 * The file holds the SHA-256 hash of a token, not the token: so tokens must be long and random. A line
 * {@code certificate} is for a client whose TLS certificate has the principal as common name. The line
 * {@code anonymous} is for clients without credentials. A name that ends with a star is a prefix.
 *
 * <p>The policy reloads a changed file. If that file is invalid or missing, the policy logs a warning and keeps the
 * permissions. For any number of threads.
 */
public final class AccessPolicy {

    private static final Logger LOG = LoggerFactory.getLogger(AccessPolicy.class);
    private static final String TOKEN = "sha256:";
    private static final String CERTIFICATE = "certificate";
    private static final String ANONYMOUS = "anonymous";
    private static final int HASH_CHARACTERS = 64;

    /** How often the file is checked for a change, at most. */
    private static final long RELOAD_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    /** How often attempts without valid credentials are logged, at most. */
    private static final long LOG_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    private final Optional<Path> file;
    private final LongSupplier nanoClock;
    private final LongAdder denied = new LongAdder();
    private final AtomicLong lastCheckedNanos;
    private final AtomicLong lastLoggedNanos;
    private volatile DenialListener denialListener = (client, address, request) -> {};
    private volatile Optional<FileStamp> loadedStamp;
    private volatile Principals principals;

    /** Learns of every denied request. May be called by any thread. */
    interface DenialListener {
        void onDenied(String client, String address, String request);
    }

    /** All principals, by their credentials. Immutable. */
    private record Principals(
            int version,
            Map<String, Principal> tokens,
            Map<String, Principal> certificates,
            Optional<Principal> anonymous) {}

    /** Differs if the file was changed or replaced. */
    private record FileStamp(FileTime lastModified, long size, String key) {}

    private AccessPolicy(Optional<Path> file, LongSupplier nanoClock, Principals principals) {
        this.file = file;
        this.nanoClock = nanoClock;
        this.principals = principals;
        lastCheckedNanos = new AtomicLong(nanoClock.getAsLong());
        lastLoggedNanos = new AtomicLong(nanoClock.getAsLong() - LOG_INTERVAL_NANOS);
        loadedStamp = file.flatMap(AccessPolicy::stampOf);
    }

    /** Allows every client everything. */
    public static AccessPolicy allowAll() {
        var principals = new Principals(0, Map.of(), Map.of(), Optional.of(Principal.ANONYMOUS));
        return new AccessPolicy(Optional.empty(), System::nanoTime, principals);
    }

    /**
     * Reads a policy file.
     *
     * @throws IllegalArgumentException if the file is invalid; names the line
     * @throws UncheckedIOException if the file cannot be read
     */
    public static AccessPolicy of(Path file) {
        return of(file, System::nanoTime);
    }

    static AccessPolicy of(Path file, LongSupplier nanoClock) {
        try {
            var stamp = stampOf(file);
            var policy =
                    new AccessPolicy(Optional.of(file), nanoClock, parse(1, Files.readAllLines(file), file.toString()));
            policy.loadedStamp = stamp; // so that a write during the read causes a reload
            return policy;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(
                    "cannot read the policy file " + file + ": " + FileFailure.reason(unreadable)
                            + "\nhint: name a file that the node can read",
                    unreadable);
        }
    }

    static AccessPolicy of(List<String> lines, String name) {
        return new AccessPolicy(Optional.empty(), System::nanoTime, parse(1, lines, name));
    }

    private static Optional<FileStamp> stampOf(Path file) {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.of(new FileStamp(
                    attributes.lastModifiedTime(), attributes.size(), String.valueOf(attributes.fileKey())));
        } catch (IOException missing) {
            return Optional.empty();
        }
    }

    /** Reloads the file first if it was changed. */
    private Principals currentPrincipals() {
        long now = nanoClock.getAsLong();
        long last = lastCheckedNanos.get();
        if (file.isPresent() && now - last >= RELOAD_INTERVAL_NANOS && lastCheckedNanos.compareAndSet(last, now)) {
            var stamp = stampOf(file.get());
            if (!stamp.equals(loadedStamp)) {
                loadedStamp = stamp;
                reload(file.get());
            }
        }
        return principals;
    }

    private void reload(Path policyFile) {
        try {
            principals = parse(principals.version + 1, Files.readAllLines(policyFile), policyFile.toString());
            LOG.info("policy reloaded file={} version={}", policyFile, principals.version);
        } catch (IOException | IllegalArgumentException invalid) {
            LOG.warn("policy not reloaded file={} error=\"{}\"", policyFile, invalid.toString());
        }
    }

    /** Grows with every reload. */
    int version() {
        return currentPrincipals().version;
    }

    private static Principals parse(int version, List<String> lines, String file) {
        var tokens = new HashMap<String, Principal>();
        var certificates = new HashMap<String, Principal>();
        var anonymous = new HashMap<String, Principal>();
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                try {
                    var words = line.split("\\s+");
                    var credential = words[0];
                    addLine(
                            words,
                            credential.equals(CERTIFICATE)
                                    ? certificates
                                    : credential.equals(ANONYMOUS) ? anonymous : tokens);
                } catch (IllegalArgumentException invalid) {
                    throw new IllegalArgumentException(
                            "invalid policy " + file + ", line " + (i + 1) + ": " + invalid.getMessage()
                                    + "\nhint: write lines such as 'certificate billing use,inspect:orders-*'",
                            invalid);
                }
            }
        }
        return new Principals(
                version, tokens, certificates, anonymous.values().stream().findFirst());
    }

    private static void addLine(String[] words, Map<String, Principal> principals) {
        if (words.length < 3) {
            throw new IllegalArgumentException("a line must have a credential, a principal and permissions");
        }
        var principal = new Principal(
                words[1],
                Arrays.stream(words).skip(2).map(AccessPolicy::parseRule).toList());
        if (principals.put(key(words[0], principal), principal) != null) {
            throw new IllegalArgumentException("the same credential is in an earlier line");
        }
    }

    private static String key(String credential, Principal principal) {
        if (credential.equals(CERTIFICATE)) {
            return principal.name();
        }
        if (credential.equals(ANONYMOUS) || credential.matches(TOKEN + "[0-9a-f]{" + HASH_CHARACTERS + "}")) {
            return credential;
        }
        throw new IllegalArgumentException("a credential must be " + CERTIFICATE + ", " + ANONYMOUS + ", or " + TOKEN
                + " and " + HASH_CHARACTERS + " digits (printf %s TOKEN | sha256sum), was '" + credential + "'");
    }

    private static Rule parseRule(String word) {
        int colon = word.indexOf(':');
        if (colon < 0 || colon == word.length() - 1) {
            throw new IllegalArgumentException("permissions must look like use,inspect:orders-*, were '" + word + "'");
        }
        var permissions = new ArrayList<Permission>();
        for (String name : word.substring(0, colon).split(",", -1)) {
            permissions.add(Arrays.stream(Permission.values())
                    .filter(permission ->
                            permission.name().toLowerCase(Locale.ROOT).equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "a permission must be use, inspect or administer, was '" + name + "'")));
        }
        var pattern = word.substring(colon + 1);
        return pattern.endsWith("*")
                ? new Rule(permissions, pattern.substring(0, pattern.length() - 1), false)
                : new Rule(permissions, pattern, true);
    }

    /** The credential of a token, as it is in the file. */
    public static String hashToken(String token) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
            return TOKEN + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never); // part of every Java platform
        }
    }

    /**
     * The principal with these credentials. Empty if the policy does not know them.
     *
     * @param token sent by the client; may be empty
     * @param certificate common name of the client's certificate, if it has sent one
     */
    public Optional<Principal> authenticate(String token, Optional<String> certificate) {
        var current = currentPrincipals();
        if (!token.isEmpty() && !isUnrestricted()) {
            return Optional.ofNullable(current.tokens.get(hashToken(token))); // no fallback for a wrong token
        }
        return certificate.map(current.certificates::get).or(() -> current.anonymous);
    }

    /** Whether every client is allowed everything. */
    public boolean isUnrestricted() {
        return principals.version == 0;
    }

    /**
     * Counts and logs that an authenticated client was denied something.
     *
     * @param address of the client
     * @param action that was denied
     */
    public void reportDenied(String client, String address, String action) {
        denied.increment();
        denialListener.onDenied(client, address, action);
        log(client, address, action);
    }

    private static void log(String client, String address, String action) {
        LOG.warn("access denied client=\"{}\" address={} action=\"{}\"", client, address, action);
    }

    /**
     * Counts that a client without valid credentials was denied something. Logs at most one line a second, so that an
     * attacker cannot fill the log.
     *
     * @param address of the client
     * @param action that was denied
     */
    public void reportUnauthenticated(String client, String address, String action) {
        denied.increment();
        denialListener.onDenied(client, address, action);
        if (isLogDue()) {
            log(client, address, action);
        }
    }

    /** Whether a line may be logged now. If so, it counts as logged. */
    boolean isLogDue() {
        long now = nanoClock.getAsLong();
        long last = lastLoggedNanos.get();
        return now - last >= LOG_INTERVAL_NANOS && lastLoggedNanos.compareAndSet(last, now);
    }

    void setDenialListener(DenialListener listener) {
        denialListener = listener;
    }

    /** How often a client was denied something. */
    public long deniedCount() {
        return denied.sum();
    }
}
