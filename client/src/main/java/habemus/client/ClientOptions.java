package habemus.client;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How to connect. Begin with {@link #to}, and change what is not as wanted.
 *
 * @param endpoints of nodes, {@code host:port}; the client learns of the others by itself
 * @param name by which others see who holds and waits, and to whom leadership is transferred; empty for
 *     {@code host/pid}
 * @param lease how long the service waits for a sign of life before it gives everything to others; also how long a
 *     crashed client blocks them. Grants are lost a tenth of it earlier. At least 500 ms
 * @param connectTimeout how long to wait for any answer of the service, where nobody stands in line
 * @param token proves who this is, where the service asks for one; else empty
 * @param tlsOptions if the doors are TLS doors
 */
public record ClientOptions(
        List<String> endpoints,
        String name,
        Duration lease,
        Duration connectTimeout,
        String token,
        Optional<TlsOptions> tlsOptions) {

    private static final Duration MIN_LEASE = Duration.ofMillis(500);

    /**
     * Checks what can be checked.
     *
     * @throws IllegalArgumentException with what to change
     */
    public ClientOptions {
        endpoints = List.copyOf(endpoints);
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(tlsOptions, "tls");
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("name at least one door of the service, such as localhost:7900");
        }
        endpoints.forEach(Endpoint::of);
        if (lease.compareTo(MIN_LEASE) < 0) {
            throw new IllegalArgumentException("the lease is at least 500 ms, not " + lease.toMillis() + " ms");
        }
        if (connectTimeout.isNegative() || connectTimeout.isZero()) {
            throw new IllegalArgumentException("the time to wait for an answer is more than zero");
        }
    }

    /**
     * With a lease of ten seconds, five seconds for an answer, no token and no TLS.
     *
     * @param doors of nodes, {@code host:port}
     * @return to be changed where needed
     */
    public static ClientOptions to(String... doors) {
        return new ClientOptions(
                List.of(doors), "", Duration.ofSeconds(10), Duration.ofSeconds(5), "", Optional.empty());
    }

    /**
     * Changes the name.
     *
     * @param next by which others see who holds and waits
     * @return the same otherwise
     */
    public ClientOptions withName(String next) {
        return new ClientOptions(endpoints, next, lease, connectTimeout, token, tlsOptions);
    }

    /**
     * Changes the lease.
     *
     * @param next how long the service waits for a sign of life; at least 500 ms
     * @return the same otherwise
     */
    public ClientOptions withLease(Duration next) {
        return new ClientOptions(endpoints, name, next, connectTimeout, token, tlsOptions);
    }

    /**
     * Changes how long to wait for an answer.
     *
     * @param next more than zero
     * @return the same otherwise
     */
    public ClientOptions withConnectTimeout(Duration next) {
        return new ClientOptions(endpoints, name, lease, next, token, tlsOptions);
    }

    /**
     * Changes the token.
     *
     * @param next proves who this is
     * @return the same otherwise
     */
    public ClientOptions withToken(String next) {
        return new ClientOptions(endpoints, name, lease, connectTimeout, next, tlsOptions);
    }

    /**
     * Connects by TLS.
     *
     * @param next whom to trust, and how to be known
     * @return the same otherwise
     */
    public ClientOptions withTls(TlsOptions next) {
        return new ClientOptions(endpoints, name, lease, connectTimeout, token, Optional.of(next));
    }

    /** Nothing of the token. */
    @Override
    public String toString() {
        return "Options[doors=" + endpoints + ", name=" + name + ", lease=" + lease + ", connectTimeout="
                + connectTimeout + tlsOptions.map(t -> ", " + t).orElse("") + "]";
    }
}
