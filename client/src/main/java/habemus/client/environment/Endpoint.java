package habemus.client.environment;

import java.util.regex.Pattern;

/**
 * Host and client port of a node.
 *
 * @param host name or address; an IPv6 address is written in brackets
 * @param port from 1 to 65,535
 */
public record Endpoint(String host, int port) {

    private static final Pattern SYNTAX = Pattern.compile("\\[([^\\]]+)]:(\\d{1,5})|([^:\\[\\]]+):(\\d{1,5})");

    /**
     * Parses an endpoint.
     *
     * @param text such as {@code localhost:7900}
     * @return host and port
     * @throws IllegalArgumentException if the text is not host:port
     */
    public static Endpoint of(String text) {
        var match = SYNTAX.matcher(text.strip());
        int port = match.matches() ? Integer.parseInt(match.group(match.group(1) == null ? 4 : 2)) : 0;
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    "endpoint must be host:port, such as localhost:7900, was \"" + text + "\"");
        }
        return new Endpoint(match.group(1) == null ? match.group(3) : match.group(1), port);
    }

    /** {@code localhost:7900} */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
