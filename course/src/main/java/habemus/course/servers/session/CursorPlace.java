package habemus.course.servers.session;

/** Where the position of a client in its query is kept. */
public enum CursorPlace {
    /** The client sends it with each request: the server is stateless. */
    REQUEST("in the request"),
    /** In a session in the memory of the server. */
    MEMORY("in memory"),
    /** In a session in the memory of the server, and synced to its disk before each reply. */
    DISK("on disk");

    private final String description;

    CursorPlace(String description) {
        this.description = description;
    }

    @Override
    public String toString() {
        return description;
    }
}
