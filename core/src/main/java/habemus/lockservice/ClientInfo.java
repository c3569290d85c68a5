package habemus.lockservice;

/**
 * The client of a session, as operators see it: its name, and the host and process where it runs.
 *
 * @param owner the same for sessions that wait for each other to end, as nested commands do; empty for a session alone
 */
public record ClientInfo(String name, String host, long pid, String owner) {

    public ClientInfo(String name, String host, long pid) {
        this(name, host, pid, "");
    }

    @Override
    public String toString() {
        return name + "@" + host + "/" + pid;
    }
}
