package habemus.client;

import habemus.client.environment.Endpoint;
import habemus.lockservice.name.NameRule;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Options of a client. Start with {@link #to}, and change values with the {@code with} methods.
 *
 * @param endpoints some nodes, each as {@code host:port}; the client learns the others from them
 * @param name shown to other clients and operators, and used to transfer leadership; empty for {@code host/pid}
 * @param lease after which the service expires the session if it is not renewed, at least 500 ms. A crashed client
 *     blocks others so long. The client considers its grants lost a tenth of the lease earlier
 * @param connectTimeout how long to wait for an answer of the service, except in a queue
 * @param token authenticates the client where the service requires one; else empty
 * @param tls for nodes whose client port uses TLS
 * @param owner the same for clients that wait for each other to end; empty for a client alone
 */
public record ClientOptions(
        List<String> endpoints,
        String name,
        Duration lease,
        Duration connectTimeout,
        String token,
        Optional<TlsOptions> tls,
        String owner) {

    private static final Duration MIN_LEASE = Duration.ofMillis(500);

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if an option is invalid
     */
    public ClientOptions {
        endpoints = List.copyOf(endpoints);
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(tls, "tls");
        Objects.requireNonNull(owner, "owner");
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException(
                    "endpoints must not be empty\nhint: name a node, such as localhost:7900");
        }
        endpoints.forEach(Endpoint::of);
        if (!name.isEmpty()) {
            NameRule.require("name", name);
        }
        if (!owner.isEmpty()) {
            NameRule.require("owner", owner);
        }
        if (lease.compareTo(MIN_LEASE) < 0) {
            throw new IllegalArgumentException(
                    "lease must be at least " + MIN_LEASE.toMillis() + " ms, was " + lease.toMillis() + " ms");
        }
        if (connectTimeout.isNegative() || connectTimeout.isZero()) {
            throw new IllegalArgumentException("connectTimeout must be positive, was " + connectTimeout);
        }
    }

    /**
     * Returns the default options: a lease of ten seconds, a timeout of five seconds, no token and no TLS.
     *
     * @param endpoints some nodes, each as {@code host:port}
     * @return to be changed where needed
     */
    public static ClientOptions to(String... endpoints) {
        return new ClientOptions(
                List.of(endpoints), "", Duration.ofSeconds(10), Duration.ofSeconds(5), "", Optional.empty(), "");
    }

    /**
     * Returns a copy with another name.
     *
     * @param next shown to other clients and operators
     * @return otherwise equal
     */
    public ClientOptions withName(String next) {
        return new ClientOptions(endpoints, next, lease, connectTimeout, token, tls, owner);
    }

    /**
     * Returns a copy with another lease.
     *
     * @param next at least 500 ms
     * @return otherwise equal
     */
    public ClientOptions withLease(Duration next) {
        return new ClientOptions(endpoints, name, next, connectTimeout, token, tls, owner);
    }

    /**
     * Returns a copy with another timeout for answers of the service.
     *
     * @param next more than zero
     * @return otherwise equal
     */
    public ClientOptions withConnectTimeout(Duration next) {
        return new ClientOptions(endpoints, name, lease, next, token, tls, owner);
    }

    /**
     * Returns a copy with another token.
     *
     * @param next authenticates the client
     * @return otherwise equal
     */
    public ClientOptions withToken(String next) {
        return new ClientOptions(endpoints, name, lease, connectTimeout, next, tls, owner);
    }

    /**
     * Returns a copy that connects with TLS.
     *
     * @param next trust store and key store
     * @return otherwise equal
     */
    public ClientOptions withTls(TlsOptions next) {
        return new ClientOptions(endpoints, name, lease, connectTimeout, token, Optional.of(next), owner);
    }

    /**
     * Returns a copy with another owner. Deadlocks are searched between owners. A program that {@code habemus lock} has
     * started passes the environment variable HABEMUS_OWNER here.
     *
     * @param next the same for clients that wait for each other to end
     * @return otherwise equal
     */
    public ClientOptions withOwner(String next) {
        return new ClientOptions(endpoints, name, lease, connectTimeout, token, tls, next);
    }

    /** Does not show the token. */
    @Override
    public String toString() {
        return "ClientOptions[endpoints=" + endpoints + ", name=" + name + ", lease=" + lease + ", connectTimeout="
                + connectTimeout + tls.map(options -> ", " + options).orElse("") + "]";
    }
}
