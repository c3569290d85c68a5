package habemus.lockservice;

/** The client of a session, as operators see it: its name, and the host and process where it runs. */
public record ClientInfo(String name, String host, long pid) {

    @Override
    public String toString() {
        return name + "@" + host + "/" + pid;
    }
}
