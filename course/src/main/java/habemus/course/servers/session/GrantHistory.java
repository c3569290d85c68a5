package habemus.course.servers.session;

import java.util.ArrayList;
import java.util.List;

/** The grants of a lock, which clients read page by page. Every server has the same ones. Immutable. */
final class GrantHistory {

    static final int PAGE_ROWS = 20;
    static final int PAGES = 50;

    private GrantHistory() {}

    /** @param position of the first row */
    static List<String> page(String lock, int position) {
        var rows = new ArrayList<String>();
        for (int i = position; i < Math.min(position + PAGE_ROWS, PAGES * PAGE_ROWS); i++) {
            rows.add(lock + "-granted-with-fence-" + (i + 1));
        }
        return rows;
    }

    static boolean isEnd(int position) {
        return position >= PAGES * PAGE_ROWS;
    }
}
