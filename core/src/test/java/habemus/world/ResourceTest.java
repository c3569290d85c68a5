package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResourceTest {

    @Test
    void a_fenced_one_refuses_a_fence_that_is_older_than_one_it_has_accepted() {
        var resource = Resource.untouched(true).after(1).after(3).after(2);
        assertThat(resource).isEqualTo(new Resource(true, 3, 2, 1, 0));
    }

    @Test
    void a_fenced_one_accepts_the_same_fence_again() {
        assertThat(Resource.untouched(true).after(3).after(3).refused()).isZero();
    }

    @Test
    void a_plain_one_accepts_an_older_fence_and_has_lost_something() {
        var resource = Resource.untouched(false).after(1).after(3).after(2);
        assertThat(resource).isEqualTo(new Resource(false, 3, 3, 0, 1));
    }
}
