package habemus.service.server;

import java.net.InetSocketAddress;
import java.util.Set;

/**
 * The configuration of the HTTP API of a node.
 *
 * @param names under which clients reach the node without TLS, besides its address: a request for another host is
 *     rejected
 */
public record HttpConfig(InetSocketAddress address, Set<String> names) {

    public HttpConfig {
        names = Set.copyOf(names);
    }

    public static HttpConfig of(InetSocketAddress address) {
        return new HttpConfig(address, Set.of());
    }

    HttpConfig withAddress(InetSocketAddress next) {
        return new HttpConfig(next, names);
    }
}
