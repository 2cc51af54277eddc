"""The whole product on a table that is not there: simulated players, camera and electronics, the real rest."""
