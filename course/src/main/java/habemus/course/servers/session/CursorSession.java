package habemus.course.servers.session;

/**
 * The cursor of one client.
 *
 * @param lock whose history the client reads
 * @param page the number of the last page that was served; zero before the first
 */
record CursorSession(String lock, int page) {

    /** The position of the first row of a page. */
    static int position(int page) {
        return (page - 1) * GrantHistory.PAGE_ROWS;
    }

    /** A client may ask for the next page, or for the last one again if it got no reply. */
    boolean mayServe(int requested) {
        return requested == page + 1 || requested == page && page > 0;
    }

    CursorSession at(int next) {
        return new CursorSession(lock, next);
    }
}
