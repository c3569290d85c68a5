package habemus.lockservice;

/**
 * The client of a session, as operators see it: its name, and the host and process where it runs.
 *
 * @param owner the same for sessions that wait for each other to end, as nested commands do; empty for a session alone
 * @param principal as which a node has authenticated the client; what a client says of itself is replaced
 */
public record ClientInfo(String name, String host, long pid, String owner, String principal) {

    public ClientInfo(String name, String host, long pid, String owner) {
        this(name, host, pid, owner, "");
    }

    public ClientInfo(String name, String host, long pid) {
        this(name, host, pid, "");
    }

    public ClientInfo withPrincipal(String authenticated) {
        return new ClientInfo(name, host, pid, owner, authenticated);
    }

    @Override
    public String toString() {
        return name + "@" + host + "/" + pid;
    }
}
