package habemus.lockservice;

/** Who a session belongs to, for those who look: what it calls itself, and where it runs. */
public record ClientInfo(String name, String host, long pid) {

    @Override
    public String toString() {
        return name + "@" + host + "/" + pid;
    }
}
