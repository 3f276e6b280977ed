document.querySelectorAll('.loop').forEach(function (loop) {
  var svg = loop.querySelector('svg'), bar = loop.querySelector('input');
  var button = loop.querySelector('button'), seconds = +loop.dataset.seconds;
  var frames = +bar.max + 1, playing = true;
  function pause(stop) {
    playing = !stop;
    if (stop) svg.pauseAnimations(); else svg.unpauseAnimations();
    button.textContent = stop ? 'Go on' : 'Pause';
  }
  button.addEventListener('click', function () { pause(playing); });
  bar.addEventListener('input', function () {
    pause(true);
    svg.setCurrentTime((+bar.value + 0.5) / frames * seconds);
  });
  setInterval(function () {
    if (playing) bar.value = Math.floor(svg.getCurrentTime() % seconds / seconds * frames);
  }, 100);
  loop.querySelector('p').removeAttribute('hidden');
});
