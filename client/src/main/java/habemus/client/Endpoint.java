package habemus.client;

import java.util.regex.Pattern;

/** Where a node can be reached. An IPv6 address stands in brackets. */
record Endpoint(String host, int port) {

    private static final Pattern FORM = Pattern.compile("\\[([^\\]]+)]:(\\d{1,5})|([^:\\[\\]]+):(\\d{1,5})");

    /** @throws IllegalArgumentException with an example */
    static Endpoint of(String text) {
        var match = FORM.matcher(text.strip());
        int port = match.matches() ? Integer.parseInt(match.group(match.group(1) == null ? 4 : 2)) : 0;
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("a door is host:port, such as localhost:7900, not \"" + text + "\"");
        }
        return new Endpoint(match.group(1) == null ? match.group(3) : match.group(1), port);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
