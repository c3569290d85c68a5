package habemus.log.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.service.transport.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where etcd is and how to reach it. What the specification does not say is taken from the environment, under the names
 * that etcdctl uses.
 *
 * @param endpoints {@code host:port} of the members of etcd
 * @param tls empty for plain text
 * @param root what all keys begin with, such as {@code /habemus/}
 * @param compactsHistory whether the leader compacts the history of etcd, for all its users
 */
record EtcdAddress(
        List<String> endpoints, Optional<Tls> tls, Optional<User> user, String root, boolean compactsHistory) {

    static final String PREFIX = "etcd:";
    static final String SYNTAX =
            "etcd:HOST:PORT,…[?cacert=FILE&cert=FILE&key=FILE&user=NAME&password-file=FILE&prefix=/KEY/&compact=on]";

    private static final Set<String> PARAMETERS =
            Set.of("cacert", "cert", "key", "user", "password-file", "prefix", "compact");

    /** @param certificate of this client with its key, both PEM; empty for none */
    record Tls(Path authority, Optional<KeyPair> certificate) {}

    record KeyPair(Path certificate, Path key) {}

    record User(String name, String password) {
        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * @param environment such as {@link System#getenv()}
     * @throws IllegalArgumentException if the specification is invalid
     */
    static EtcdAddress parse(String spec, Map<String, String> environment) {
        int question = spec.indexOf('?');
        var hosts = question < 0 ? spec.substring(PREFIX.length()) : spec.substring(PREFIX.length(), question);
        var endpoints = Stream.of(hosts.split(",", -1))
                .map(String::strip)
                .map(host -> host.startsWith("//") ? host.substring(2) : host)
                .toList();
        endpoints.forEach(EtcdAddress::checkEndpoint);
        var parameters = new Parameters(parameters(question < 0 ? "" : spec.substring(question + 1)), environment);
        return new EtcdAddress(
                endpoints, parameters.tls(), parameters.user(), parameters.root(), parameters.compacts());
    }

    private static void checkEndpoint(String endpoint) {
        try {
            Member.parseAddress(endpoint, endpoint);
        } catch (IllegalArgumentException bad) {
            throw invalid(String.valueOf(bad.getMessage()), "write it as in " + SYNTAX);
        }
    }

    private static Map<String, String> parameters(String query) {
        var parameters = new LinkedHashMap<String, String>();
        for (String parameter : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = parameter.indexOf('=');
            var name = equals < 0 ? parameter : parameter.substring(0, equals);
            if (equals < 0 || !PARAMETERS.contains(name)) {
                throw invalid("unknown parameter of the log: '" + parameter + "'", "write it as in " + SYNTAX);
            }
            parameters.put(name, parameter.substring(equals + 1));
        }
        return parameters;
    }

    private static IllegalArgumentException invalid(String what, String hint) {
        return new IllegalArgumentException(what + "\nhint: " + hint);
    }

    private record Parameters(Map<String, String> given, Map<String, String> environment) {

        private Optional<String> value(String parameter, String variable) {
            return Optional.ofNullable(given.get(parameter))
                    .or(() -> Optional.ofNullable(environment.get(variable)))
                    .filter(value -> !value.isEmpty());
        }

        private Optional<Path> file(String parameter, String variable) {
            return value(parameter, variable).map(Path::of).map(file -> {
                if (!Files.isReadable(file)) {
                    throw invalid(
                            "cannot read the file of '" + parameter + "': " + file,
                            "set " + parameter + "= of --log, or " + variable);
                }
                return file;
            });
        }

        Optional<Tls> tls() {
            var authority = file("cacert", "ETCDCTL_CACERT");
            var certificate = file("cert", "ETCDCTL_CERT");
            var key = file("key", "ETCDCTL_KEY");
            if (certificate.isPresent() != key.isPresent() || certificate.isPresent() && authority.isEmpty()) {
                throw invalid(
                        "a certificate for etcd needs cacert, cert and key",
                        "give all three to --log, or set ETCDCTL_CACERT, ETCDCTL_CERT and ETCDCTL_KEY");
            }
            return authority.map(file -> new Tls(file, certificate.map(pem -> new KeyPair(pem, key.orElseThrow()))));
        }

        /** As with etcdctl, {@code ETCDCTL_USER} may hold the password after a colon. */
        Optional<User> user() {
            return value("user", "ETCDCTL_USER").map(text -> {
                int colon = given.containsKey("user") ? -1 : text.indexOf(':');
                return colon < 0
                        ? new User(text, password())
                        : new User(text.substring(0, colon), text.substring(colon + 1));
            });
        }

        private String password() {
            return file("password-file", "ETCDCTL_PASSWORD_FILE")
                    .map(EtcdAddress::read)
                    .or(() -> Optional.ofNullable(environment.get("ETCDCTL_PASSWORD")))
                    .orElseThrow(() -> invalid(
                            "a user of etcd needs a password", "add password-file= to --log, or set ETCDCTL_PASSWORD"));
        }

        String root() {
            var root = given.getOrDefault("prefix", "/habemus/");
            if (!root.matches("[!-~]*/")) {
                throw invalid(
                        "invalid prefix of the log: '" + root + "' (ASCII, ends with /)", "write it as in " + SYNTAX);
            }
            return root;
        }

        boolean compacts() {
            var value = given.getOrDefault("compact", "off");
            if (!value.matches("on|off")) {
                throw invalid("invalid value of 'compact': '" + value + "' (on, off)", "write it as in " + SYNTAX);
            }
            return value.equals("on");
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, UTF_8).strip();
        } catch (IOException unreadable) {
            throw invalid("cannot read the password file: " + file, "set password-file= of --log");
        }
    }

    @Override
    public String toString() {
        return PREFIX + String.join(",", endpoints);
    }
}
