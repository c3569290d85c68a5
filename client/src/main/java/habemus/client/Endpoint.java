package habemus.client;

import java.util.regex.Pattern;

/** Host and client port of a node. An IPv6 address is written in brackets. */
record Endpoint(String host, int port) {

    private static final Pattern SYNTAX = Pattern.compile("\\[([^\\]]+)]:(\\d{1,5})|([^:\\[\\]]+):(\\d{1,5})");

    /** @throws IllegalArgumentException if the text is not host:port */
    static Endpoint of(String text) {
        var match = SYNTAX.matcher(text.strip());
        int port = match.matches() ? Integer.parseInt(match.group(match.group(1) == null ? 4 : 2)) : 0;
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    "endpoint must be host:port, such as localhost:7900, was \"" + text + "\"");
        }
        return new Endpoint(match.group(1) == null ? match.group(3) : match.group(1), port);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
